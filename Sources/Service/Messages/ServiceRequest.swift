internal import Specifications

/// An HTTP request, independent of the server that received it.
public struct ServiceRequest: Sendable {
  /// The method, in capitals.
  public var method: String
  /// The path as received, percent-encoded, beginning with a slash.
  public var path: String
  /// The query as received, without the question mark; empty if there is none.
  public var query: String
  /// The header fields.
  public var fields: HeaderFields
  /// The body, as received; empty if there is none.
  public var body: [UInt8]
  /// The address of the client's connection, without the port; empty if unknown.
  public var peer: String

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: The method, in capitals.
  ///   - target: The path and the query, as in the first line of the request: `/a/b?c=d`.
  ///   - fields: The header fields.
  ///   - body: The body.
  ///   - peer: The address of the client's connection, without the port.
  public init(
    method: String, target: String, fields: HeaderFields = [:], body: [UInt8] = [],
    peer: String = ""
  ) {
    self.method = method
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    query = parts.count > 1 ? String(parts[1]) : ""
    self.fields = fields
    self.body = body
    self.peer = peer
  }

  /// The segments of the path, split at the slashes and percent-decoded afterwards; none for `/`.
  ///
  /// A segment with a malformed escape, or whose bytes are not UTF-8, is nil.
  var segments: [String?] {
    path.utf8.dropFirst().isEmpty
      ? []
      : path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        .map { PercentCoding.decode($0.utf8, .path) }
  }

  /// The parameters of the query, in order.
  var parameters: [FormParameters.Element] { FormParameters.parse(query.utf8) }
}
