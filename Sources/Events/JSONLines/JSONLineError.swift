/// Why a line is not an event.
public struct JSONLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The byte at which it went wrong, counted from 0 at the start of the line.
  public var offset: Int
  /// What is wrong and how to mend it, in one line.
  public var reason: String

  /// Makes an error from its place and its reason.
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// The place and the reason.
  public var description: String { "byte \(offset): \(reason)" }
}

extension JSONLineError {
  /// Something else stands where one of the given things must stand.
  @inline(never)
  static func expected(_ what: String, at offset: Int, in line: Span<UInt8>) -> JSONLineError {
    JSONLineError(
      offset: offset, reason: "expected \(what), found \(describeByte(at: offset, in: line))")
  }

  /// What a message says of the byte at an offset.
  static func describeByte(at offset: Int, in line: Span<UInt8>) -> String {
    guard offset < line.count else { return "the end of the line; is the line cut off?" }
    let byte = line[offset]
    if byte > 0x20, byte < 0x7F { return "'\(Character(Unicode.Scalar(byte)))'" }
    let digits = String(byte, radix: 16, uppercase: true)
    return "the byte 0x" + (byte < 0x10 ? "0" : "") + digits
  }
}
