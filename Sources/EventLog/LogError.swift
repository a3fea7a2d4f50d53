/// Why a log could not be opened, read or written.
public struct LogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of trouble it is. More may be added.
  public enum Code: Sendable {
    /// There is no log at the path.
    case notFound
    /// What is at the path is not a log.
    case notALog
    /// The log was written by a newer version.
    case newerVersion
    /// Another writer holds the log.
    case locked
    /// Bytes that were durable are not what they were.
    case damaged
    /// A file or folder cannot be made.
    case cannotCreate
    /// Reading or writing failed; the message has the system's own words.
    case inputOutput
    /// The writer failed before and takes no more events.
    case poisoned
    /// An event does not say what its kind must say.
    case badEvent
    /// The same log was given twice where each must be another.
    case sameLog
    /// A producer's sequence is not the one that is expected.
    case outOfSequence
    /// A batch cannot be appended as one.
    case badBatch
  }

  /// What sort of trouble it is.
  public var code: Code
  /// What went wrong, where, and how to mend it.
  public var message: String
  /// The file it was found in.
  public var path: String
  /// The byte in that file, where one can be named.
  public var offset: UInt64?
  /// The same for the list of what is lost, when it is damage that a reader may pass over.
  var loss: LogLoss?

  /// Whether the message says already that the log can be repaired, or what must be done instead.
  package var saysRemedy: Bool {
    message.contains("`bandolier log repair") || message.contains("move those files away")
  }

  /// Makes an error.
  public init(_ code: Code, _ message: String, path: String, offset: UInt64? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.offset = offset
  }

  /// The message with the place: `PATH, byte OFFSET: MESSAGE`.
  public var description: String {
    offset.map { "\(path), byte \($0): \(message)" } ?? "\(path): \(message)"
  }
}
