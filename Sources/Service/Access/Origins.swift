/// The web origins whose pages may use the service (CORS).
///
/// A listed origin is echoed, with credentials; any other gets no header of CORS, so that browsers keep the answer from
/// its pages.
struct Origins: Sendable {
  private let listed: Set<String>

  /// The header fields that pages may send.
  private static let requestFields = [
    "authorization", "content-encoding", "content-type", "if-none-match",
    "ocp-apim-subscription-key", "x-api-key", "x-mpath-apikey", "x-mpath-features", "x-mpath-ip",
    "x-mpath-point", "x-mpath-referer", "x-mpath-reward", "x-mpath-segment", "x-mpath-session",
    "x-mpath-status", "x-mpath-ua", "x-request-id",
  ]
  /// The header fields that pages may read.
  private static let responseFields = "etag, retry-after, x-request-id"
  /// The seconds for which browsers may keep the answer to a preflight.
  private static let preflightSeconds = 600

  /// Creates a list of origins.
  ///
  /// - Throws: ``ServiceOptionError`` if one is not an origin.
  init(_ origins: [String]) throws(ServiceOptionError) {
    for origin in origins where !Self.isOrigin(origin) {
      throw ServiceOptionError(
        "\(origin.debugDescription) is not an origin; write a scheme, a host and perhaps a port, "
          + "such as https://shop.example or http://localhost:3000")
    }
    listed = Set(origins.map { $0.lowercased() })
  }

  private static func isOrigin(_ text: String) -> Bool {
    let rest =
      text.hasPrefix("https://")
      ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
    return !rest.isEmpty
      && rest.utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return byte > 0x20 && byte < 0x7f && !"/?#@*\\\"'".unicodeScalars.contains(scalar)
      }
  }

  /// Whether there are none.
  var isEmpty: Bool { listed.isEmpty }

  /// Adds the header fields of CORS to a response.
  func mark(_ response: inout ServiceResponse, for request: ServiceRequest) {
    guard !listed.isEmpty else { return }
    let vary = response.fields["vary"]
    response.fields["vary"] = vary.map { "\($0), Origin" } ?? "Origin"
    guard let origin = request.fields["origin"], listed.contains(origin.lowercased()) else {
      return
    }
    response.fields["access-control-allow-origin"] = origin
    response.fields["access-control-allow-credentials"] = "true"
    response.fields["access-control-expose-headers"] = Self.responseFields
  }

  /// Returns the answer to a preflight or any other request of the method OPTIONS.
  func options(_ methods: [Route.Method], for request: ServiceRequest) -> ServiceResponse {
    var names = methods.map(\.rawValue)
    if methods.contains(.get), !methods.contains(.head) { names.append("HEAD") }
    if !methods.contains(.options) { names.append("OPTIONS") }
    let list = names.sorted().joined(separator: ", ")
    var response = ServiceResponse(status: 204, fields: ["allow": list])
    if request.fields["access-control-request-method"] != nil,
      let origin = request.fields["origin"], listed.contains(origin.lowercased())
    {
      response.fields["access-control-allow-methods"] = list
      response.fields["access-control-allow-headers"] =
        Self.requestFields.joined(separator: ", ")
      response.fields["access-control-max-age"] = String(Self.preflightSeconds)
    }
    return response
  }
}
