import ArgumentParser

/// A `key=value` pair on the command line.
struct KeyValue {
  var key: String
  var value: String

  static func parse(_ text: String) throws -> KeyValue {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, !sides[0].isEmpty else {
      throw ValidationError("\"\(text)\" is not a key with a value; write KEY=VALUE")
    }
    return KeyValue(key: String(sides[0]), value: String(sides[1]))
  }
}
