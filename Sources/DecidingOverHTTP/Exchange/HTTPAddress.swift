internal import Foundation

/// The address of a server, with the path under which it is: `https://example.com:8080/agents`.
struct HTTPAddress: Hashable, Sendable {
  /// The address without a slash at its end.
  let text: String

  /// Parses an address.
  ///
  /// - Throws: ``HTTPError/invalidAddress(_:reason:)`` when it is not one of HTTP, or has a query
  ///   or a fragment.
  init(_ text: String) throws(HTTPError) {
    let url = try Self.url(text)
    guard url.query == nil, url.fragment == nil else {
      throw .invalidAddress(text, reason: "has a query or a fragment")
    }
    self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// Returns the URL of an address.
  ///
  /// - Throws: ``HTTPError/invalidAddress(_:reason:)`` when it is not one of HTTP.
  static func url(_ text: String) throws(HTTPError) -> URL {
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw .invalidAddress(text, reason: "is not a URL")
    }
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
      throw .invalidAddress(text, reason: "must begin with http:// or https://")
    }
    guard let host = url.host(), !host.isEmpty else {
      throw .invalidAddress(text, reason: "names no host")
    }
    guard url.user == nil, url.password == nil else {
      throw .invalidAddress("\(scheme)://…@\(host)", reason: "has a user name or a password")
    }
    return url
  }

  /// Returns the address followed by the segments, each percent-encoded, and the query as it is.
  func appending(_ segments: [String], query: String = "") -> String {
    let path = segments.map { "/" + PathSegment.encode($0) }.joined()
    return text + path + (query.isEmpty ? "" : "?" + query)
  }
}
