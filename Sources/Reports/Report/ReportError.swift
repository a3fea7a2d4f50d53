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

  /// What is wrong, where, and how to fix it.
  public let description: String

  /// Creates an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Returns an error for an invalid parameter.
  ///
  /// - Parameters:
  ///   - name: The parameter, as the option of the command is spelled: `window-days`.
  ///   - problem: What is wrong, such as `must be at least 1`.
  /// - Returns: The error.
  static func parameter(_ name: String, _ problem: String) -> ReportError {
    ReportError(.badParameter, "\(name) \(problem)")
  }

  /// Throws an error for a confidence level that is not between 0 and 1, exclusive.
  static func check(level: Double) throws(ReportError) {
    guard level > 0, level < 1 else {
      throw parameter("alpha", "must be between 0 and 1, such as 0.05")
    }
  }
}
