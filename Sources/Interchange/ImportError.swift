/// Why an import cannot go on.
///
/// The description says what, where (file, line or byte) and how to mend it, and fits one line.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; the command line turns it into an exit status.
  public enum Code: String, CaseIterable, Sendable {
    /// The input does not exist.
    case missingInput
    /// The input is a directory.
    case isDirectory
    /// The input cannot be opened or read.
    case cannotRead
    /// A gzip input ends before its end.
    case truncatedGzip
    /// The input as a whole is not what its format says.
    case badData
    /// A record was refused and the import was told to stop there.
    case rejectedRecord
    /// No known format is like the input, or the named one is unknown.
    case unknownFormat
    /// The options given do not suffice or do not fit the format.
    case usage
    /// Whoever reads was told to stop while it waited for the input.
    case interrupted
    /// Rejected records or temporary files cannot be written.
    case cannotWrite
  }

  /// What kind of failure it is.
  public var code: Code
  /// What, where, and how to mend it.
  public var description: String

  /// Makes an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
