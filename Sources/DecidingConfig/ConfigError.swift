internal import Events
package import Specifications

/// An error of the active configuration.
public enum ConfigError: Error, Hashable, Sendable {
  /// The value at the path is not an object. The path is empty for the document itself.
  case notAnObject(path: String)
  /// There is no value at the path.
  case missing(path: String)
  /// The value at the path has another type, or is not allowed there.
  case wrongType(path: String, expected: String)
  /// The format version of the document is not 1.
  case unsupportedVersion(String)
  /// The text is not JSON. Line and column count from 1, the byte from 0.
  case invalidJSON(line: Int, column: Int, byte: Int, reason: String)
  /// The downloader threw, or the calling task was cancelled.
  case downloadFailed(String)
  /// The sink did not accept the events; nothing has changed.
  case notRecorded(String)
  /// The snapshot is invalid.
  case invalidSnapshot(String)
}

extension ConfigError: CustomStringConvertible {
  /// The problem, its location, and how to fix it.
  public var description: String {
    switch self {
    case .notAnObject(let path):
      "\(Self.place(path)) is not an object; "
        + #"a configuration is {"meta": {...}, "config_sections": {...}}"#
    case .missing(let path): "\(Self.place(path)) is missing; add it"
    case .wrongType(let path, let expected):
      "\(Self.place(path)) must be \(expected); mend the value"
    case .unsupportedVersion(let version):
      "meta.format_version_string is \"\(version)\", and this reads version 1; "
        + "have the server send a document of version 1"
    case .invalidJSON(let line, let column, let byte, let reason):
      "the text is not JSON at line \(line), column \(column) (byte \(byte)): \(reason)"
    case .downloadFailed(let reason):
      "the configuration was not downloaded: \(reason); what was in use stays, try again later"
    case .notRecorded(let reason):
      "the sink did not take the events: \(reason); nothing changed, mend the sink and call again"
    case .invalidSnapshot(let reason): "the snapshot does not fit: \(reason)"
    }
  }

  private static func place(_ path: String) -> String {
    path.isEmpty ? "the document" : path
  }

  init(_ error: JSONParseError) {
    self = .invalidJSON(
      line: error.line, column: error.column, byte: error.byte, reason: error.reason)
  }
}

extension ConfigError: ExitCoded {
  package var exitCode: ExitCode { .badData }
}
