public import DecidingExperiments

/// A loader of site configurations from a server.
///
/// ```swift
/// let loader = try HTTPExperimentLoader("https://example.com/sites/{siteCode}.json")
/// let factory = ClientFactory(loader: loader, surroundings: surroundings)
/// ```
public struct HTTPExperimentLoader: ExperimentLoader {
  private let template: AddressTemplate
  private let fields: [String: String]
  private let client: HTTPClient

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - address: The address of a configuration, with `{siteCode}` in place of the site's code.
  ///   - fields: The header fields of a request, such as one with a key.
  ///   - timeout: The timeout of a request.
  /// - Throws: ``HTTPError/invalidAddress(_:reason:)``.
  public init(
    _ address: String, fields: [String: String] = [:], timeout: Duration = .seconds(30)
  ) throws(HTTPError) {
    template = try AddressTemplate(address, placeholder: "siteCode")
    self.fields = fields
    client = HTTPClient(timeout: timeout, limit: HTTPClient.configurationLimit)
  }

  /// Loads the configuration of a site.
  ///
  /// - Throws: ``HTTPError``; `ExperimentError.loadFailed` when there is none;
  ///   `ExperimentError.invalidConfiguration` when it is invalid.
  public func load(siteCode: String) async throws -> ExperimentConfiguration {
    let address = template.address(of: siteCode)
    guard let bytes = try await client.configuration(at: address, fields: fields) else {
      throw ExperimentError.loadFailed("there is no configuration at \(address)")
    }
    return try ExperimentConfiguration(bytes: bytes)
  }
}

extension ExperimentConfiguration {
  init(bytes: [UInt8]) throws(ExperimentError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalidConfiguration(path: "", reason: "is not UTF-8")
    }
    try self.init(parsing: text)
  }
}
