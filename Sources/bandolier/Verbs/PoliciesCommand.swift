import ArgumentParser
import Bandits
import Reports
import Specifications

struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "List the policies, with their parameters and sources.",
    usage: "bandolier policies [<options>]")

  /// The policies that can be simulated.
  static var all: [SpecificationInfo] { Policies.all + [LearnedChoices.listing] }

  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try output.write(
      SpecificationTable.table(
        of: Self.all, name: "policies", title: "Policies"))
  }
}

struct EnvironmentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "environments",
    abstract: "List the environments, with their parameters and sources.",
    usage: "bandolier environments [<options>]")

  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try output.write(
      SpecificationTable.table(
        of: Environments.all, name: "environments", title: "Environments"))
  }
}

extension PoliciesCommand: WorkedExamples {
  static let examples = [
    "bandolier policies",
    "bandolier policies --format markdown -o policies.md",
  ]
}

extension EnvironmentsCommand: WorkedExamples {
  static let examples = [
    "bandolier environments",
    "bandolier environments --format csv -o environments.csv",
  ]
}
