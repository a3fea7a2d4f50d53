import ArgumentParser
import Bandits
import DecidingCore
import Events
import Interchange
import Prediction
import Replay
import Reports
import Scenarios
import Specifications
import Statistics

/// The completions for the value of an option in a shell.
///
/// Names come from the catalogs that the verbs read. Names in a log are never offered: a shell expands what it is
/// offered, so that a unit or an experiment called `$(command)` would be run.
extension CompletionKind {
  // MARK: Files

  /// The folder of a log.
  static var log: CompletionKind { .directory }
  /// The folder of a log, or a database made by `bandolier replay`.
  static var logOrDatabase: CompletionKind { .file(extensions: ["sqlite", "db"]) }
  /// A file of any kind.
  static var anyFile: CompletionKind { .file() }
  /// A picture.
  static var svg: CompletionKind { .file(extensions: ["svg"]) }
  /// A file of comma-separated values.
  static var csv: CompletionKind { .file(extensions: ["csv"]) }
  /// A plan or a mapping.
  static var yaml: CompletionKind { .file(extensions: ["yaml", "yml"]) }

  // MARK: Names

  /// A policy that can be simulated.
  static var policy: CompletionKind { names(PolicyListing.entries) }
  static var environment: CompletionKind { names(Environments.all) }
  static var predictor: CompletionKind { names(Predictors.all) }
  static var scenario: CompletionKind { names(ScenarioCatalog.standard.all) }
  static var report: CompletionKind { .list(ExplainCommand.explained.all.map { $0.name }) }
  static var metric: CompletionKind { forms(Metric.forms) }
  static var dimension: CompletionKind { forms(Dimension.forms) }
  /// A format that can be imported.
  static var importFormat: CompletionKind {
    .list(["auto"] + FormatCatalog.standard.all.map(\.name))
  }
  /// A kind of events.
  static var eventKind: CompletionKind { .list(EventKind.allCases.map(\.name)) }

  /// The values of an enumeration.
  static func cases<Value: RawRepresentable<String> & CaseIterable>(
    of type: Value.Type
  ) -> CompletionKind {
    .list(type.allCases.map(\.rawValue))
  }

  /// The names in a catalog.
  private static func names(_ infos: [SpecificationInfo]) -> CompletionKind {
    .list(infos.map(\.name))
  }

  /// Forms such as `context.NAME`, up to the words that the user has to replace.
  private static func forms(_ forms: [String]) -> CompletionKind {
    .list(OptionInfo.starts(of: forms))
  }
}
