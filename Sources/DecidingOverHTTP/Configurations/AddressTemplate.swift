/// An address with a name in it: `https://example.com/sites/{siteCode}.json`.
struct AddressTemplate: Sendable {
  private let pieces: [String]

  /// Parses a template.
  ///
  /// - Throws: ``HTTPError/invalidAddress(_:reason:)`` when it is not an address, or does not have
  ///   the placeholder.
  init(_ text: String, placeholder: String) throws(HTTPError) {
    pieces = text.split(separator: "{\(placeholder)}", omittingEmptySubsequences: false)
      .map(String.init)
    guard pieces.count > 1 else {
      throw .invalidAddress(text, reason: "does not have {\(placeholder)}")
    }
    _ = try HTTPAddress.url(address(of: "x"))
  }

  /// Returns the address with the name in place of the placeholder, percent-encoded.
  func address(of name: String) -> String {
    pieces.joined(separator: PathSegment.encode(name))
  }
}

extension HTTPClient {
  /// The maximum size of a configuration, in bytes.
  static let configurationLimit = 64 << 20

  /// Returns the body at the address; nil when the status is 204 or 404.
  ///
  /// - Throws: ``HTTPError``, also for any other status than success.
  func configuration(
    at address: String, fields: [String: String]
  ) async throws(HTTPError) -> [UInt8]? {
    let sorted = fields.map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
    let response = try await response(to: HTTPRequest(address: address, fields: sorted))
    if response.status == 204 || response.status == 404 { return nil }
    guard response.isSuccess else {
      throw .status(
        response.status, reason: response.retryAfter.map { "; retry after \($0)" } ?? "")
    }
    return response.body
  }
}
