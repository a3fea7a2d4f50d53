public import ArgumentParser
import EventLog
import Replay
public import Reports

extension RewardReport.Per: ExpressibleByArgument {}

struct ReportRewardsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rewards",
    abstract: "What each variant earned, by experiment, point and slot.",
    usage: "bandolier report rewards <log> [<options>]",
    discussion: """
      A goal is credited, for each point and slot of its experiment, to the latest confirmed decision of \
      the same unit at or before it, by event time. A goal without a value counts 1. What did not count is \
      listed under the table, and under `notes` in JSON.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp("Mean, variance and interval over decision or unit.", valueName: "what"))
  var per: RewardReport.Per = .decision

  @OptionGroup var damage: DamageOptions
  @OptionGroup var output: ReportOutputOptions
  @OptionGroup var progress: ProgressOptions

  func run() throws {
    try damage.reading(log) { try report($0) }
  }

  private func report(_ reader: LogReader) throws {
    let names = try LogNames(reader, [.experiments, .points, .slots, .variants])
    let replay = Replay(reader)
    let projector = RewardProjector(RewardProjector.StandardNames(names))
    let passes = UInt64(replay.passCount(for: projector))
    var line = Progress.onStandardError(
      label: "replaying", total: Int(reader.eventCount * passes), unit: .count("events"),
      mode: progress.progress)
    let tallies = try replay.run(partitioned: projector) { line.update(done: Int($0)) }
    line.finish()
    var table = try RewardReport.table(tallies, names: names, per: per)
    table.note(lossesOf: reader)
    try output.write(table)
  }
}
