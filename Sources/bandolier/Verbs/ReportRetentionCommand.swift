public import ArgumentParser
import EventLog
import Events
public import Replay
import Reports
import Tables

extension RetentionProjector.Signal: ExpressibleByArgument {}

struct ReportRetentionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention",
    abstract: "Which share of units came back so many days after their first exposure.",
    usage: "bandolier report retention <log or database> [<options>]",
    discussion: """
      A unit came back on day d with an event from d days after its first exposure on, before d + 1 days \
      (--window-days). Only units for which that time was over at the end of the data are counted; the \
      others are in units_too_young.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "Days after the first exposure, with commas (default: 1,3,7,14,28).", valueName: "days"),
    transform: Self.parseDays)
  var days: [Int] = [1, 3, 7, 14, 28]

  @Option(
    help: ArgumentHelp(
      "What counts as coming back: any, goals, conversions or decisions.", valueName: "events"))
  var on: RetentionProjector.Signal = .any

  @Option(help: ArgumentHelp("How many days a unit has to come back.", valueName: "days"))
  var windowDays = 1

  @Option(
    help: ArgumentHelp(
      "The end of the data, instead of the latest event; nothing after it counts.",
      valueName: "time"),
    transform: TimeArgument.parse)
  var end: Timestamp?

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var crossing: CrossingOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  /// The longest time that the log can hold is under 4 million days.
  private static let mostDays = 4_000_000

  private static func parseDays(_ text: String) throws -> [Int] {
    let days = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard let known = days as? [Int], known.allSatisfy({ $0 >= 0 && $0 <= mostDays }),
      Set(known).count == known.count, known.count <= 1_000
    else {
      throw ValidationError(
        "\"\(text)\" is no list of days; give different whole numbers such as 1,3,7,14,28")
    }
    return known.sorted()
  }

  func validate() throws {
    guard windowDays >= 1, windowDays <= Self.mostDays else {
      throw ValidationError("--window-days must be from 1 to \(Self.mostDays)")
    }
  }

  func run() throws {
    try replay.reading(log, names: [.points, .slots, .variants], end: end) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    let projector = RetentionProjector(
      days: days, signal: on, windowDays: windowDays, end: end?.microseconds,
      crossing: crossing.crossing)
    let tallies = try source.run(units: projector)
    var table = try RetentionReport.table(
      tallies, of: projector, names: source.names, dimension: replay.by, level: coverage.level)
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }
}

extension ReportRetentionCommand: WorkedExamples {
  static let examples = [
    "bandolier report retention datasets/storefront.log",
    #"""
    bandolier report retention datasets/storefront.log \
      --days 1,7,14 --experiment pricing
    """#,
  ]
}
