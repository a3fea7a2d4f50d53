public import Events

/// A source of configurations.
public protocol ConfigDownloader: Sendable {
  /// Requests a document.
  ///
  /// - Parameter user: The user whose configuration is requested; nil for no user.
  /// - Returns: The document; nil when the server has none.
  /// - Throws: Any error when the server cannot be reached; the configuration in use then remains.
  func requestConfiguration(user: String?) async throws -> JSONValue?
}

/// A downloader that parses bytes loaded by a closure as JSON. Invalid JSON is a failed download, whose
/// reason has the line, column and byte.
public struct JSONConfigDownloader: ConfigDownloader {
  private let parsing: JSONParsing
  private let load: @Sendable (String?) async throws -> [UInt8]

  /// Creates a downloader.
  ///
  /// - Parameters:
  ///   - parsing: Whether trailing commas and comments are allowed.
  ///   - load: Returns the bytes for a user, such as the body of an HTTP response; nil when there is no
  ///     document.
  public init(
    parsing: JSONParsing = .strict, load: @escaping @Sendable (String?) async throws -> [UInt8]
  ) {
    self.parsing = parsing
    self.load = load
  }

  /// Returns the document for the user; nil when nothing was loaded.
  ///
  /// - Throws: ``ConfigError/invalidJSON(line:column:byte:reason:)``, and errors of the closure.
  public func requestConfiguration(user: String?) async throws -> JSONValue? {
    let bytes = try await load(user)
    if bytes.isEmpty { return nil }
    do {
      return try JSONValue(parsing: bytes, parsing)
    } catch {
      throw ConfigError(error)
    }
  }
}

/// The outcome of a download.
public enum ConfigDownloadOutcome: Hashable, Sendable {
  /// The configuration was applied.
  case applied
  /// The configuration in use is already the same; nothing was appended.
  case unchanged
  /// There was nothing to apply; the configuration in use remains.
  case ignored(Reason)
  /// The user changed meanwhile; the configuration was stored for the user that it was requested for.
  case stored(user: String?)
  /// A download for the user was already running; the downloader was not called.
  case alreadyRunning

  /// The reason why a download was ignored.
  public enum Reason: Hashable, Sendable, CustomStringConvertible {
    /// The downloader had no document.
    case nothing
    /// The document is invalid, or the schema does not allow its values.
    case invalid(ConfigError)
    /// The document has no sections.
    case noSections

    /// The reason in words.
    public var description: String {
      switch self {
      case .nothing: "the downloader had no document"
      case .invalid(let error): "the document is invalid: \(error)"
      case .noSections: "config_sections is empty; a configuration has at least one section"
      }
    }
  }
}

/// A notice about downloads.
public enum ConfigNotice: Hashable, Sendable {
  /// A download was applied for the first time since the log began.
  case firstDownload(user: String?)
  /// A download ended without an error. `meta` is the document's, or that in use when there was no valid
  /// document; `isCurrent` is whether the document is now in use.
  case updateFinished(user: String?, meta: JSONObject, isCurrent: Bool)
}
