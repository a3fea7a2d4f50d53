internal import Specifications

/// Conversion of texts to URLs: invalid characters are percent-encoded, and existing escapes are kept.
///
/// The parts are those of RFC 3986: `scheme://authority/path?query#fragment`, each of them optional.
enum URLText {
  /// Returns the text as a URL or relative reference; nil when it is empty or cannot be one, because its
  /// scheme, its port or its bracketed host is malformed.
  static func url(_ text: String) -> String? {
    var rest = Array(text.utf8)[...]
    guard !rest.isEmpty else { return nil }
    let fragment = cut(&rest, at: "#")
    let query = cut(&rest, at: "?")
    var output: [UInt8] = []
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), !rest[..<colon].contains(slash) {
      guard isScheme(rest[..<colon]) else { return nil }
      output += rest[...colon]
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      let end = rest.dropFirst(2).firstIndex(of: slash) ?? rest.endIndex
      output += "//".utf8
      guard append(authority: rest[..<end].dropFirst(2), to: &output) else { return nil }
      rest = rest[end...]
    }
    append(rest, allowing: ":@/", to: &output)
    for (mark, part) in [("?", query), ("#", fragment)] {
      guard let part else { continue }
      output += mark.utf8
      append(part, allowing: ":@/?", to: &output)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let slash = UInt8(ascii: "/")

  /// Removes the mark and everything after it, and returns the latter; nil without a mark.
  private static func cut(_ text: inout ArraySlice<UInt8>, at mark: Unicode.Scalar) -> ArraySlice<
    UInt8
  >? {
    guard let index = text.firstIndex(of: UInt8(ascii: mark)) else { return nil }
    defer { text = text[..<index] }
    return text[(index + 1)...]
  }

  private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, first.isASCIILetter else { return false }
    return text.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
  }

  /// Appends `user@host:port`; returns false when the port is not a number or the bracketed host not an
  /// address.
  private static func append(authority: ArraySlice<UInt8>, to output: inout [UInt8]) -> Bool {
    var host = authority
    if let at = host.lastIndex(of: UInt8(ascii: "@")) {
      append(host[..<at], allowing: ":", to: &output)
      output.append(host[at])
      host = host[(at + 1)...]
    }
    if host.first == UInt8(ascii: "[") {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")),
        host[..<end].dropFirst().allSatisfy({ $0.hexadecimalValue != nil || ":.".utf8.contains($0) }
        ),
        end > host.startIndex + 1
      else { return false }
      output += host[...end]
      host = host[(end + 1)...]
      guard host.isEmpty || host.first == UInt8(ascii: ":") else { return false }
    }
    let port = cut(&host, at: ":")
    append(host, allowing: "", to: &output)
    guard let port else { return true }
    output.append(UInt8(ascii: ":"))
    output += port
    return port.allSatisfy(\.isASCIIDigit)
  }

  private static func append(
    _ text: ArraySlice<UInt8>, allowing marks: String, to output: inout [UInt8]
  ) {
    PercentCoding.append(text, keeping: "!$&'()*+,;=" + marks, escapes: .kept, to: &output)
  }
}
