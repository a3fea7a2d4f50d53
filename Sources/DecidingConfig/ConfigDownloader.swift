public import Events

/// Where configurations come from.
public protocol ConfigDownloader: Sendable {
  /// Asks for a document.
  ///
  /// - Parameter user: Whose configuration is asked for; nil for no user.
  /// - Returns: The document; nil when the server has none.
  /// - Throws: Any error when the server cannot be reached; what is in use then stays.
  func requestConfiguration(user: String?) async throws -> JSONValue?
}

/// A downloader that reads what a closure loads as JSON. Bytes that are not JSON are a failed download, whose reason
/// names line, column and byte.
public struct JSONConfigDownloader: ConfigDownloader {
  private let parsing: JSONParsing
  private let load: @Sendable (String?) async throws -> [UInt8]

  /// Makes a downloader.
  ///
  /// - Parameters:
  ///   - parsing: Whether a comma before a closing bracket and comments are passed over.
  ///   - load: Gives the bytes for a user, such as the body of an HTTP answer; none when there is no
  ///     document.
  public init(
    parsing: JSONParsing = .strict, load: @escaping @Sendable (String?) async throws -> [UInt8]
  ) {
    self.parsing = parsing
    self.load = load
  }

  /// The document for the user; nil when nothing was loaded.
  ///
  /// - Throws: ``ConfigError/invalidJSON(line:column:byte:reason:)``, and whatever the closure throws.
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

/// What became of a download.
public enum ConfigDownloadOutcome: Hashable, Sendable {
  /// The configuration is in use.
  case applied
  /// The configuration in use is the same already; nothing was appended.
  case unchanged
  /// There was nothing to use; what was in use stays.
  case ignored(Reason)
  /// The user changed meanwhile; the configuration was kept for the user that it was asked for.
  case stored(user: String?)
  /// A download for the user was running already; the downloader was not asked.
  case alreadyRunning

  /// Why a download was ignored.
  public enum Reason: Hashable, Sendable, CustomStringConvertible {
    /// The downloader had no document.
    case nothing
    /// The document is invalid, or its values are not what the schema allows.
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

/// What is told of downloads.
public enum ConfigNotice: Hashable, Sendable {
  /// A download was applied for the first time since the log began.
  case firstDownload(user: String?)
  /// A download ended without an error. The meta is the document's, or that in use when there was no valid
  /// document; `isCurrent` says whether the document is what is in use now.
  case updateFinished(user: String?, meta: JSONObject, isCurrent: Bool)
}
