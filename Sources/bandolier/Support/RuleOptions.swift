import ArgumentParser
import Replay

/// The option of the attribution rule.
struct RuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Attribution rule: which of several eligible decisions a goal is credited to.",
      valueName: "rule"))
  var attribution: Attribution.Rule = .last
}
