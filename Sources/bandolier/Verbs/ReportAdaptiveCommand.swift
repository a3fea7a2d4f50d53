public import ArgumentParser
import EventLog
import Replay
public import Reports
import Tables

extension AdaptiveAllocation: ExpressibleByArgument {}

struct ReportAdaptiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adaptive",
    abstract: "Mean rewards of variants where a policy learned from the rewards.",
    usage: "bandolier report adaptive <log> [<options>]",
    discussion: """
      Where a bandit chose, the plain mean of a variant is biased and its interval does not cover. The adaptively \
      weighted mean loses that bias as decisions become many, and its interval covers; it needs the choices of every decision and a probability \
      for each. Rewards are those of `report rewards`. `bandolier explain adaptive` has the formulas.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "How much each decision counts: uniform, constant-allocation or two-point.",
      valueName: "which"))
  var weighting: AdaptiveAllocation = .constant

  @Option(
    help: ArgumentHelp(
      "The variant that others are compared with (the first by name).", valueName: "variant"))
  var baseline: String?

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try replay.reading(log, names: [.points, .slots, .variants], end: rules.end) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    if let baseline { try source.lookup.code(of: baseline, in: .variants) }
    let plan = AdaptivePlan(
      rules.attribution(rule: credit.attribution, standardWindow: nil), allocation: weighting,
      baseline: baseline, level: coverage.level)
    let streams = try source.adaptiveStreams(plan.attribution)
    try source.require(baseline, among: streams.streams.flatMap(\.variants).map(\.code))
    try requireProbabilities(streams)
    var table = try AdaptiveReport.table(
      streams, names: source.names, plan: plan, dimension: replay.by)
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }

  /// Refuses decisions of which none has the probabilities of its choices, and warns where every estimate would be empty.
  private func requireProbabilities(_ streams: AdaptiveStreams) throws {
    let all = streams.streams
    guard !all.isEmpty, all.allSatisfy({ $0.withoutProbabilities + $0.withWrongProbabilities > 0 })
    else { return }
    let absent = all.reduce(0) { $0 + $1.withoutProbabilities }
    let wrong = all.reduce(0) { $0 + $1.withWrongProbabilities }
    let decisions = all.reduce(0) { $0 + $1.decisions }
    let problem =
      "\(log.log): nothing can be estimated: of \(decisions) decisions \(absent) have no probability for each of their "
      + "choices, and \(wrong) have wrong ones"
    guard absent + wrong < decisions else {
      throw Failure(
        exitCode: Failure.badData,
        "\(problem); log \"choices\" and \"probabilities\", or use `bandolier report compare` where shares never changed"
      )
    }
    Message.print(
      "warning: \(problem), some of them in every experiment; leave these out by --since or --without-reason"
    )
  }
}

extension ReportAdaptiveCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier report adaptive datasets/storefront.log \
      --experiment recommendations
    """#,
    #"""
    bandolier report adaptive datasets/storefront.log \
      --experiment recommendations --baseline popular
    """#,
  ]
}
