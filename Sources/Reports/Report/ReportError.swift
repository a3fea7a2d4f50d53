package import Specifications

/// An error that prevents a report from being made.
public struct ReportError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: Sendable {
    /// A parameter is out of range.
    case badParameter
    /// The log does not have a name that is a parameter of the report, or does not have the data that the report
    /// needs.
    case badData
    /// The report needs a log: a database does not keep what it needs.
    case needsLog
  }

  /// The kind of error.
  public let code: Code

  /// The fault, its place and its remedy.
  public let description: String

  /// Creates an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension ReportError: ExitCoded {
  package var exitCode: ExitCode { code == .badData ? .badData : .usage }
}
