import EventLog
import Events
import Replay
import Reports
import TestSupport

/// A log with two experiments, one of which has an awkward name and no propensities.
enum StoreLog {
  /// Variants whose names programs take for something else.
  static let variants = ["NA", "null", "001", "=1+1"]

  /// The awkward name.
  static let awkward = "<script>, \"x\"\n| 🙂 שלום"

  static func events(_ count: Int = 400) -> [Event] {
    (0..<count).flatMap { number -> [Event] in
      let time = Int64(number) * 3_600_000_000
      let unit = UnitID("u\(number)")
      let isKnown = number % 2 == 0
      let variant = VariantID(variants[number % 4 / 2 + (isKnown ? 0 : 2)])
      let decision = Decision(
        experiment: isKnown ? "price" : ExperimentID(awkward), variant: variant,
        choices: isKnown ? ["NA", "null"] : nil, propensity: isKnown ? 0.5 : nil,
        probabilities: isKnown ? [0.5, 0.5] : nil)
      var events = [
        Event(time: Timestamp(microseconds: time), unit: unit, payload: .decision(decision))
      ]
      if number % 3 == 0 {
        events.append(
          Event(
            time: Timestamp(microseconds: time + 1), unit: unit,
            payload: .goal(Goal(experiment: decision.experiment, goal: "click", value: 1))))
        events.append(
          ReportLog.conversion(time + 2, unit.rawValue, "purchase", Double(number % 5)))
      }
      return events
    }
  }

  /// Returns the book of the log.
  static func book(
    _ log: ReportLog, jobs: Int = 2, settings: BookSettings = BookSettings(title: "T")
  )
    throws -> Book
  {
    try BookBuilder(LogReplay(log.reader, jobs: jobs), settings: settings).book()
  }
}
