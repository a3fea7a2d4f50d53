/// Percent-encoding of texts in URLs (RFC 3986, section 2.1).
package enum PercentCoding {
  /// The meaning of escapes in a text that is encoded.
  package enum Escapes {
    /// Plain text: the percent sign is escaped too.
    case encoded
    /// Escapes already: a percent sign is kept in front of two hexadecimal digits.
    case kept
  }

  /// The meaning of `+` and of escapes that are not UTF-8 in a text that is decoded.
  package enum Form {
    /// That of a path: `+` stands for itself, and escapes are UTF-8.
    case path
    /// That of a query or a form (`application/x-www-form-urlencoded`): `+` stands for a space, and escapes that are
    /// not UTF-8 are those of JavaScript's `escape()`, which old clients use: `%E9` is the character U+00E9, and
    /// `%u20AC` U+20AC.
    case query
  }

  /// Returns a text with every byte of its UTF-8 form escaped, except for letters, digits, `-._~` and the given marks.
  package static func encode(_ text: String, keeping marks: String) -> String {
    var bytes: [UInt8] = []
    append(Array(text.utf8)[...], keeping: marks, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a text with every byte escaped, except for letters, digits, `-._~` and the given marks.
  package static func append(
    _ text: ArraySlice<UInt8>, keeping marks: String, escapes: Escapes = .encoded,
    to output: inout [UInt8]
  ) {
    for (index, byte) in zip(text.indices, text) {
      let isEscape =
        escapes == .kept && byte == UInt8(ascii: "%") && index + 2 < text.endIndex
        && text[index + 1].hexadecimalValue != nil && text[index + 2].hexadecimalValue != nil
      if isEscape || byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte)
        || marks.utf8.contains(byte)
      {
        output.append(byte)
      } else {
        output += [UInt8(ascii: "%")] + byte.hexadecimalDigits(ten: "A")
      }
    }
  }

  /// Returns the decoded text; nil if an escape is malformed, or the bytes are not UTF-8.
  package static func decode(_ text: some Sequence<UInt8>, _ form: Form) -> String? {
    var bytes: [UInt8] = []
    // The text if each escape is a UTF-16 code unit.
    var units: [UInt16] = []
    var (hasUnits, isASCII) = (false, true)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      var value = byte
      if byte == UInt8(ascii: "%") {
        guard let next = rest.next() else { return nil }
        if next == UInt8(ascii: "u") || next == UInt8(ascii: "U") {
          guard let unit = codeUnit(&rest) else { return nil }
          units.append(unit)
          hasUnits = true
          continue
        }
        guard let high = next.hexadecimalValue, let low = rest.next()?.hexadecimalValue else {
          return nil
        }
        value = high << 4 | low
      } else if byte == UInt8(ascii: "+"), form == .query {
        value = UInt8(ascii: " ")
      } else if byte >= 0x80 {
        isASCII = false
      }
      bytes.append(value)
      units.append(UInt16(value))
    }
    if !hasUnits, let text = String(validating: bytes, as: UTF8.self) { return text }
    return form == .query && isASCII ? String(validating: units, as: UTF16.self) : nil
  }

  private static func codeUnit(_ rest: inout some IteratorProtocol<UInt8>) -> UInt16? {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = rest.next()?.hexadecimalValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
