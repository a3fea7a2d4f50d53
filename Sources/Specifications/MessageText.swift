/// The length of messages that quote what was given from outside: names, paths, values and lines of files.
package enum MessageText {
  /// The maximum length of a message, in bytes of UTF-8.
  package static let byteLimit = 1_000

  /// Returns a text that is not longer than the limit as it is; of a longer one the beginning, the number of bytes left
  /// out, and the end, where the remedy is.
  ///
  /// - Complexity: O(length).
  package static func shortened(_ text: String) -> String {
    let bytes = text.utf8
    guard bytes.count > byteLimit else { return text }
    // Indices within a character are rounded to its beginning.
    let scalars = text.unicodeScalars
    let head = scalars[..<bytes.index(bytes.startIndex, offsetBy: byteLimit * 5 / 8)]
    let tail = scalars[bytes.index(bytes.endIndex, offsetBy: -byteLimit / 4)...]
    let rest = bytes.count - Substring(head).utf8.count - Substring(tail).utf8.count
    return "\(Substring(head))… (\(rest) bytes left out) …\(Substring(tail))"
  }
}
