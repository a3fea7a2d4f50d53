public import DecidingConfig
public import Events

/// A downloader of users' configurations from a server.
///
/// ```swift
/// let downloader = try HTTPConfigDownloader("https://example.com/activeconfig/user/{user}")
/// let config = ActiveConfig(downloader: downloader, surroundings: surroundings)
/// ```
public struct HTTPConfigDownloader: ConfigDownloader {
  private let template: AddressTemplate
  private let fields: [String: String]
  private let parsing: JSONParsing
  private let client: HTTPClient

  /// Creates a downloader.
  ///
  /// - Parameters:
  ///   - address: The address of a document, with `{user}` in place of the user; without a user it
  ///     is replaced by nothing.
  ///   - fields: The header fields of a request, such as one with a key.
  ///   - parsing: Whether trailing commas and comments are allowed.
  ///   - timeout: The timeout of a request.
  /// - Throws: ``HTTPError/invalidAddress(_:reason:)``.
  public init(
    _ address: String, fields: [String: String] = [:], parsing: JSONParsing = .strict,
    timeout: Duration = .seconds(30)
  ) throws(HTTPError) {
    template = try AddressTemplate(address, placeholder: "user")
    self.fields = fields
    self.parsing = parsing
    client = HTTPClient(timeout: timeout, limit: HTTPClient.configurationLimit)
  }

  /// Requests the document of a user; nil when the status is 204 or 404, or the body is empty.
  ///
  /// - Throws: ``HTTPError``; `ConfigError.invalidJSON` when the body is not JSON.
  public func requestConfiguration(user: String?) async throws -> JSONValue? {
    let address = template.address(of: user ?? "")
    let bytes = try await client.configuration(at: address, fields: fields) ?? []
    return try await JSONConfigDownloader(parsing: parsing) { _ in bytes }
      .requestConfiguration(user: user)
  }
}
