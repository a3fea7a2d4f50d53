import ArgumentParser
import Replay

/// How units exposed to several variants are handled.
struct CrossingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Units exposed to several variants at one point and slot: drop them, or count them for the first one.",
      valueName: "rule"))
  var crossing: Attribution.Crossing = .drop
}
