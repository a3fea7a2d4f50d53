internal import CChecksum
internal import Events
internal import Specifications

/// A JSON object on a line of its own whose last member, `crc32c`, is the checksum of the others.
///
/// The checksum is seeded with another: that of a run with that of its plan, so that the line of one plan is invalid
/// in another.
enum CheckedLine {
  private static let mark = Array(#","crc32c":""#.utf8)
  private static let tail = Array(#""}"#.utf8)

  /// Returns the checksum of an object serialized without it.
  static func checksum(_ object: JSONValue, after seed: UInt32 = 0) -> UInt32 {
    crc32c(bytes(object), after: seed)
  }

  /// Returns the line of an object that has a member, with its checksum and line end.
  static func line(_ object: JSONValue, after seed: UInt32 = 0) -> [UInt8] {
    let body = bytes(object)
    var line = Array(body.dropLast())
    line += mark
    line += crc32c(body, after: seed).hexadecimal.utf8
    line += tail
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// Parses a line without its end; nil if a byte of it is damaged.
  static func object(of line: ArraySlice<UInt8>, after seed: UInt32 = 0) -> JSONValue? {
    let end = mark.count + 8 + tail.count
    guard line.count > end else { return nil }
    let body = Array(line.dropLast(end)) + [UInt8(ascii: "}")]
    let sum = Array(crc32c(body, after: seed).hexadecimal.utf8)
    guard line.suffix(end).elementsEqual(mark + sum + tail) else { return nil }
    return try? JSONValue(parsing: body)
  }

  private static func bytes(_ object: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    object.write(to: &bytes)
    return bytes
  }

  private static func crc32c(_ bytes: [UInt8], after seed: UInt32) -> UInt32 {
    // Safety: the C function reads exactly the bytes of the buffer, while the closure runs.
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return seed }
      return unsafe bandolier_crc32c(seed, start, bytes.count)
    }
  }
}
