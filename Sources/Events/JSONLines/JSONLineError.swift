/// An error thrown for a line that is not an event.
public struct JSONLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offending byte, counted from 0 at the start of the line.
  public var offset: Int
  /// A message in one line that says what is wrong and how to fix it.
  public var reason: String
  /// Whether the line is that of an event without a unit.
  package var lacksUnit = false

  /// The location and the reason.
  public var description: String { "byte \(offset): \(reason)" }
}

extension JSONLineError {
  /// Returns an error for a byte that is not one of the expected things.
  @inline(never)
  static func expected(_ what: String, at offset: Int, in line: Span<UInt8>) -> JSONLineError {
    JSONLineError(
      offset: offset, reason: "expected \(what), found \(describeByte(at: offset, in: line))")
  }

  /// Returns a description of the byte at an offset for messages.
  static func describeByte(at offset: Int, in line: Span<UInt8>) -> String {
    guard offset < line.count else { return "the end of the line; is the line cut off?" }
    let byte = line[offset]
    if byte > 0x20, byte < 0x7F { return "'\(Character(Unicode.Scalar(byte)))'" }
    let digits = String(byte, radix: 16, uppercase: true)
    return "the byte 0x" + (byte < 0x10 ? "0" : "") + digits
  }
}
