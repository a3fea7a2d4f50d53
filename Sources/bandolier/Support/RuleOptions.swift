import ArgumentParser
import Replay

/// The option of the attribution rule.
struct RuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Who is credited when several decisions could be: last, first, all or linear.",
      valueName: "rule"))
  var attribution: Attribution.Rule = .last
}
