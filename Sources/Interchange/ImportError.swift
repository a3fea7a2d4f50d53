package import Specifications

/// An error that ends an import.
///
/// The description says what is wrong, where (file, line or byte) and how to fix it, in one line.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, which determines the exit status of the command.
  public enum Code: String, CaseIterable, Sendable {
    /// The input does not exist.
    case missingInput
    /// The input is a directory.
    case isDirectory
    /// The input cannot be opened or read.
    case cannotRead
    /// A gzip input is truncated.
    case truncatedGzip
    /// The input as a whole does not conform to its format.
    case badData
    /// A record was rejected and the import stops at invalid records.
    case rejectedRecord
    /// No known format matches the input, or the named one is unknown.
    case unknownFormat
    /// The given options are insufficient or do not fit the format.
    case usage
    /// The reader was told to stop while it waited for input.
    case interrupted
    /// Rejected records or temporary files cannot be written.
    case cannotWrite
  }

  /// The kind of error.
  public var code: Code
  /// The fault, its place and its remedy.
  public var description: String

  /// Creates an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension ImportError: ExitCoded {
  package var exitCode: ExitCode {
    switch code {
    case .missingInput, .isDirectory: .inputMissing
    case .truncatedGzip, .badData, .rejectedRecord, .unknownFormat: .badData
    case .usage: .usage
    case .cannotRead, .cannotWrite: .inputOutput
    case .interrupted: .interrupted
    }
  }
}
