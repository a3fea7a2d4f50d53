import ArgumentParser
import EventLog
import Events
import Reports
import Specifications
import Statistics

/// The filters on the events of a log.
struct EventFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Start at the event of this position (default: 0).", valueName: "position"),
    transform: OptionValue.integer)
  var from: UInt64 = 0

  @Option(
    help: ArgumentHelp("End before the event of this position.", valueName: "position"),
    transform: OptionValue.integer)
  var to: UInt64?

  @Option(
    help: ArgumentHelp(
      "Events at this time or later: ISO 8601 with an offset, or a number since 1970.",
      valueName: "time"),
    transform: OptionValue.time)
  var since: Timestamp?

  @Option(
    help: ArgumentHelp("Events before this time.", valueName: "time"), transform: OptionValue.time
  )
  var until: Timestamp?

  @Option(
    help: ArgumentHelp("Events of these kinds, separated by commas.", valueName: "kinds"),
    completion: .eventKind,
    transform: OptionValue.list(of: Self.kind))
  var kind: [[EventKind]] = []

  @Option(
    help: ArgumentHelp("Events of this experiment; may be repeated.", valueName: "experiment"))
  var experiment: [String] = []

  @Option(help: ArgumentHelp("Events of this unit; may be repeated.", valueName: "unit"))
  var unit: [String] = []

  func validate() throws {
    if let to, to < from { throw ValidationError("--to must not be less than --from") }
    if let since, let until, until <= since {
      throw ValidationError(
        "--until \(until) is not later than --since \(since), so no event can be between them")
    }
  }

  var filter: EventFilter {
    EventFilter(
      positions: from..<max(from, to ?? .max), since: since, until: until,
      kinds: kind.isEmpty ? nil : Set(kind.joined()),
      experiments: experiment.isEmpty ? nil : experiment,
      units: unit.isEmpty ? nil : unit)
  }

  /// Returns the kind of a name.
  static func kind(_ text: String) throws -> EventKind {
    if let kind = EventKind(name: text) { return kind }
    throw ValidationError(
      NearestName.unknown("kind of event", text, among: EventKind.allCases.map(\.name)))
  }
}
