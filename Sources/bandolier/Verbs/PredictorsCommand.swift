import ArgumentParser
import Prediction
import Reports

struct PredictorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predictors",
    abstract: "List the predictors, with their parameters and sources.",
    usage: "bandolier predictors [<options>]")

  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try output.write(
      SpecificationTable.table(of: Predictors.all, name: "predictors", title: "Predictors"))
  }
}

extension PredictorsCommand: WorkedExamples {
  static let examples = [
    "bandolier predictors",
    "bandolier predictors --format csv -o predictors.csv",
  ]
}
