internal import DecidingCore
internal import Events

/// An entity tag (RFC 9110, section 8.8.3), by which a client asks whether a resource has changed.
struct EntityTag: Sendable, Hashable {
  /// The 32 hexadecimal digits of the tag.
  let digits: String

  /// Whether the tag is weak: the same for what is equivalent, if not of the same bytes.
  let isWeak: Bool

  /// The tag with its quotes.
  var text: String { (isWeak ? "W/" : "") + opaque }

  private var opaque: String { "\"\(digits)\"" }

  /// Creates the tag of bytes: the same for the same bytes only.
  init(of bytes: [UInt8], isWeak: Bool = false) {
    self.isWeak = isWeak
    var hash = SHA256()
    hash.update(bytes)
    digits = String(hash.hexadecimal().prefix(32))
  }

  /// Returns whether the request has the tag, or a star, among those of `If-None-Match`, compared weakly.
  func isMatched(by request: ServiceRequest) -> Bool {
    guard let field = request.fields["if-none-match"] else { return false }
    return field.split(separator: ",").contains { part in
      let tag = part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }
      let given = String(tag.reversed())
      return given == "*" || given == opaque || given == "W/" + opaque
    }
  }

  /// The response to a request that has the tag.
  var notModified: ServiceResponse {
    ServiceResponse(status: 304, fields: ["etag": text, "cache-control": "no-cache"])
  }
}
