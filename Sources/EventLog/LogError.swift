package import Specifications

/// An error thrown when a log cannot be opened, read or written.
public struct LogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. More may be added.
  public enum Code: Sendable {
    /// There is no log at the path.
    case notFound
    /// The path is not a log.
    case notALog
    /// The log was written by a newer version of the library.
    case newerVersion
    /// Another writer holds the log.
    case locked
    /// Bytes that were durable have been damaged.
    case damaged
    /// A file or folder cannot be created.
    case cannotCreate
    /// Reading or writing failed; the message contains the system's own.
    case inputOutput
    /// The writer failed before and accepts no more events.
    case poisoned
    /// An event lacks a field that its kind requires.
    case badEvent
    /// The same log was given twice where different ones are required.
    case sameLog
    /// A producer's sequence number is not the expected one.
    case outOfSequence
    /// A batch cannot be appended as a unit.
    case badBatch
    /// A unit of the log belongs to another shard than the one that the log was given as.
    case otherShard
  }

  /// The kind of the error.
  public var code: Code
  /// The fault, its place and its remedy.
  public var message: String
  /// The file with the error.
  public var path: String
  /// The offset in that file, if there is one.
  public var offset: UInt64?
  /// The loss that this error stands for, if it is damage that a reader may skip.
  var loss: LogLoss?

  /// Whether the message already says that the log can be repaired, or what must be done instead.
  package var saysRemedy: Bool {
    message.contains("`bandolier log repair") || message.contains("move those files away")
  }

  /// Creates an error.
  public init(_ code: Code, _ message: String, path: String, offset: UInt64? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.offset = offset
  }

  /// The message with its location: `PATH, byte OFFSET: MESSAGE`.
  public var description: String {
    offset.map { "\(path), byte \($0): \(message)" } ?? "\(path): \(message)"
  }
}

extension LogError: ExitCoded {
  package var exitCode: ExitCode {
    switch code {
    case .notFound: .inputMissing
    case .notALog, .newerVersion, .damaged, .badEvent, .outOfSequence, .badBatch, .otherShard:
      .badData
    case .locked: .locked
    case .sameLog: .usage
    case .cannotCreate: .cannotCreate
    case .inputOutput, .poisoned: .inputOutput
    }
  }
}
