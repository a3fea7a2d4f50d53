import ArgumentParser
import EventLog
import Replay
import Reports
import Tables

extension FunnelReport: ReportWithOptions {
  typealias CommandOptions = FunnelOptions
}

/// The options of the report `funnel`.
struct FunnelOptions: ReportOptions {
  static let usage = "bandolier report funnel <log or database> --steps <goals>\n  [<options>]"

  static let discussion = """
    A step is a goal of the experiment or a conversion, by its name. Step 0 is the first exposure; each \
    step is the first such event after the previous step. The median of the time between them is exact, \
    and takes 8 bytes of memory for each unit and step.
    """

  static let examples = [
    #"""
    bandolier report funnel datasets/storefront.log \
      --experiment recommendations --steps click,add-to-cart
    """#,
    #"""
    bandolier report funnel datasets/storefront.log \
      --steps click,purchase --any-order --window 14d
    """#,
  ]

  @Option(
    help: ArgumentHelp(
      "The steps, separated by commas, such as view,cart,purchase.", valueName: "goals"))
  var steps: String

  @Option(
    help: ArgumentHelp(
      "How long after the first exposure steps count, such as 7d, 12h, 30m or 90s; 7 is 7 days (default: none, without limit).",
      valueName: "duration"), transform: OptionValue.window)
  var window: Window?

  @Flag(help: "Whether steps must be reached in the given order.")
  var order: StepOrder = .ordered

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var crossing: CrossingOptions

  func report() throws -> FunnelReport {
    try FunnelReport(
      steps: steps.split(separator: ",", omittingEmptySubsequences: false).map(String.init),
      window: window?.microseconds, order: order == .ordered ? .ordered : .any,
      crossing: crossing.crossing, level: coverage.level)
  }
}

/// The order of steps, as flags.
enum StepOrder: String, EnumerableFlag {
  case ordered
  case anyOrder
}
