import ArgumentParser
import OffPolicy
import Reports
import Specifications

struct EstimatorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "estimators",
    abstract: "List the estimators of `evaluate`, with their parameters and sources.",
    usage: "bandolier estimators [<options>]")

  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try output.write(
      SpecificationTable.table(
        of: EstimatorCatalog.standard.all, name: "estimators", title: "Estimators"))
  }
}

extension EstimatorsCommand: WorkedExamples {
  static let examples = [
    "bandolier estimators",
    "bandolier estimators --format markdown -o estimators.md",
  ]
}
