public import EventLog
public import Tables

extension Table {
  /// The maximum number of losses that are noted one by one.
  private static let notedLosses = 20

  /// Notes the damaged parts of a log that were skipped while it was read, in the answer and under `events_lost` and
  /// `lost_1`, `lost_2` and so on; adds no note if there were none.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - option: The option that names the log, with which notes begin; nil for the log of the report.
  public mutating func note(lossesOf log: LogReader, of option: String? = nil) {
    note(losses: log.losses.map { "\($0)" }, events: Int(clamping: log.lostEventCount), of: option)
  }

  /// Notes what could not be read of a log.
  mutating func note(losses: [String], events: Int, of option: String? = nil) {
    guard !losses.isEmpty else { return }
    let start = option.map { "\($0)_" } ?? ""
    note(start + "events_lost", events)
    let lost =
      events == 0
      ? losses.contains { $0.contains("-names,") }
        ? "names are lost, so that the order at equal times, folds and bootstrap weights can differ"
        : "no event is lost by it"
      : "\(AnswerText.count(events, "event")) could not be read and \(events == 1 ? "is" : "are") missing here"
    answer.insert("The log \(option.map { "of --\($0) " } ?? "")is damaged: \(lost).", at: 0)
    for (index, loss) in losses.prefix(Self.notedLosses).enumerated() {
      note(start + "lost_\(index + 1)", loss)
    }
    if losses.count > Self.notedLosses {
      note(start + "lost_places_not_listed", losses.count - Self.notedLosses)
    }
  }
}
