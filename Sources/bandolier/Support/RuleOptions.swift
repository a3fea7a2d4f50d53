import ArgumentParser
import Replay

/// Who is credited with a goal.
struct RuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Who is credited when several decisions could be: last, first, all or linear.",
      valueName: "rule"))
  var attribution: Attribution.Rule = .last
}
