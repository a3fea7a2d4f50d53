internal import Specifications

/// The names of places in a page, each used once: lower-case letters and digits with single hyphens between them.
struct PageAnchors {
  private var taken: Set<String>

  /// Creates the names of a page whose own parts have those given.
  init(reserved: Set<String>) {
    taken = reserved
  }

  /// Returns a name made of the letters and digits of a text that no other place has, such as `checkout-button`.
  mutating func anchor(for text: String, default name: String) -> String {
    let words = text.lowercased().utf8.split { !($0.isASCIILetter || $0.isASCIIDigit) }
    let joined = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    let start = joined.isEmpty ? name : String(joined.prefix(60))
    var anchor = start
    var number = 2
    while !taken.insert(anchor).inserted {
      anchor = "\(start)-\(number)"
      number += 1
    }
    return anchor
  }
}
