/// A version as `major.minor.patch`.
///
/// A missing part is 0, parts after the third are ignored, and everything from the first `-` or `+` on is
/// dropped: `1.2`, `1.2.0`, `1.2.0.7` and `1.2-beta` are equal.
struct VersionNumber: Comparable, Sendable {
  private let text: String

  /// Parses a version; nil when one of its first three parts is not an integer.
  init?(_ text: String) {
    self.text = text
    guard Self.parts(of: text) != nil else { return nil }
  }

  /// Returns whether the version precedes the other.
  static func < (a: VersionNumber, b: VersionNumber) -> Bool {
    guard let left = parts(of: a.text), let right = parts(of: b.text) else { return false }
    return left < right
  }

  /// Returns whether both are the same version, even if written differently.
  static func == (a: VersionNumber, b: VersionNumber) -> Bool {
    guard let left = parts(of: a.text), let right = parts(of: b.text) else { return false }
    return left == right
  }

  private typealias Parts = (WholeNumberText, WholeNumberText, WholeNumberText)

  private static func parts(of text: String) -> Parts? {
    let isSuffix = { (byte: UInt8) in byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
    let number = Substring(text).utf8.prefix { !isSuffix($0) }
    let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    var numbers: [WholeNumberText] = []
    for part in parts.prefix(3) {
      guard let number = WholeNumberText(part) else { return nil }
      numbers.append(number)
    }
    while numbers.count < 3 { numbers.append(.zero) }
    return (numbers[0], numbers[1], numbers[2])
  }
}
