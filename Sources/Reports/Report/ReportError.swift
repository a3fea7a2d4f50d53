/// Why a report cannot be made.
public struct ReportError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: Sendable {
    /// A parameter is out of its range.
    case badParameter
    /// The log has nothing of a name that the report was given, or no answer to what is asked for.
    case badData
    /// A database that was made of a log does not keep what the report needs.
    case needsLog
  }

  /// What kind of error it is.
  public let code: Code

  /// What is wrong, where, and how to fix it.
  public let description: String

  /// Makes an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Refuses a parameter.
  ///
  /// - Parameters:
  ///   - name: The parameter, as the option of the command is spelled: `window-days`.
  ///   - problem: What is wrong, such as `must be at least 1`.
  /// - Returns: The error.
  static func parameter(_ name: String, _ problem: String) -> ReportError {
    ReportError(.badParameter, "\(name) \(problem)")
  }

  /// Refuses a coverage of intervals that is not between 0 and 1.
  static func check(level: Double) throws(ReportError) {
    guard level > 0, level < 1 else {
      throw parameter("alpha", "must be between 0 and 1, such as 0.05")
    }
  }
}
