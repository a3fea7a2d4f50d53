import ArgumentParser
import Replay

/// How units exposed to several variants are handled.
struct CrossingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Units that saw several variants at one point and slot: drop, or first for the one that they saw first.",
      valueName: "rule"))
  var crossing: Attribution.Crossing = .drop
}
