public import DecidingConfig
public import Events

/// A downloader of users' configurations from files, for tests and for documents that something
/// else delivers.
public struct FileConfigDownloader: ConfigDownloader {
  private let file: ConfigurationFile
  private let parsing: JSONParsing

  /// Creates a downloader.
  ///
  /// - Parameters:
  ///   - path: The path of a document, with `{user}` in place of the user, who is percent-encoded;
  ///     without a user it is replaced by nothing.
  ///   - parsing: Whether trailing commas and comments are allowed.
  public init(_ path: String, parsing: JSONParsing = .strict) {
    file = ConfigurationFile(path, placeholder: "user")
    self.parsing = parsing
  }

  /// Reads the document of a user; nil when there is no such file, or it is empty.
  ///
  /// - Throws: ``ConfigurationFileError``; `ConfigError.invalidJSON` when the file is not JSON.
  public func requestConfiguration(user: String?) async throws -> JSONValue? {
    let bytes = try file.bytes(of: user ?? "") ?? []
    return try await JSONConfigDownloader(parsing: parsing) { _ in bytes }
      .requestConfiguration(user: user)
  }
}
