/// Names of columns in capitals, as Snowflake and some other warehouses write them.
enum ColumnCase {
  /// Whether a header has letters, and all of them are capitals: its columns are then found by their names in small
  /// letters too.
  static func isUpper(_ names: [String]) -> Bool {
    var hasCapital = false
    for name in names {
      for byte in name.utf8 {
        if byte >= UInt8(ascii: "a"), byte <= UInt8(ascii: "z") { return false }
        hasCapital = hasCapital || (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z"))
      }
    }
    return hasCapital
  }

  /// Returns a name in capitals.
  static func upper(_ name: some Sequence<UInt8>) -> [UInt8] { name.map(upper) }

  /// Returns a letter of ASCII as a capital, and any other byte as it is.
  static func upper(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte & 0xDF : byte
  }
}
