/// The escapes of a text in JSON: the one place that knows them.
package enum JSONEscape {
  /// Appends the escape of a byte: `\"`, `\\`, or that of a control character.
  ///
  /// - Parameters:
  ///   - byte: The byte.
  ///   - isShort: Whether `\b`, `\t`, `\n`, `\f` and `\r` are written so, and not as `\u0008` ...
  ///   - output: Receives the escape.
  package static func append(_ byte: UInt8, isShort: Bool = true, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    case 0x08 where isShort: output.append(UInt8(ascii: "b"))
    case 0x09 where isShort: output.append(UInt8(ascii: "t"))
    case 0x0A where isShort: output.append(UInt8(ascii: "n"))
    case 0x0C where isShort: output.append(UInt8(ascii: "f"))
    case 0x0D where isShort: output.append(UInt8(ascii: "r"))
    default:
      output += "u00".utf8
      output += byte.hexadecimalDigits()
    }
  }

  /// Whether JSON requires a byte of a text to be escaped.
  @inline(__always)
  package static func isRequired(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Appends a text in double quotes.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isShown: Whether terminals and editors show it: then U+007F to U+009F, which JSON allows but terminals
  ///     interpret, and the byte-order mark, which some readers drop, are escaped too.
  ///   - output: Receives the text.
  package static func append(_ text: String, isShown: Bool, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    let bytes = text.utf8Span.span
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case _ where isRequired(byte): append(byte, to: &output)
      case 0x7F where isShown: append(byte, to: &output)
      case 0xC2 where isShown && index < bytes.count && bytes[index] < 0xA0:
        append(bytes[index], to: &output)
        index += 1
      case 0xEF
      where isShown && index + 1 < bytes.count && bytes[index] == 0xBB && bytes[index + 1] == 0xBF:
        output.append(contentsOf: "\\ufeff".utf8)
        index += 2
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
