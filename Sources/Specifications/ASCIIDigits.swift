extension FixedWidthInteger where Self: UnsignedInteger {
  /// All lowercase hexadecimal digits, with leading zeros.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }
}

extension UInt8 {
  /// The two hexadecimal digits; `ten` is the digit of 10, a letter in either case.
  package func hexadecimalDigits(ten: Unicode.Scalar = "a") -> [UInt8] {
    [self >> 4, self & 15].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: ten) + $0 - 10 }
  }

  /// Whether the byte is one of the digits 0 to 9.
  package var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// Whether the byte is one of the letters A to Z, in either case.
  package var isASCIILetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  /// The value of a hexadecimal digit, in either case; nil for any other byte.
  package var hexadecimalValue: UInt8? {
    if isASCIIDigit { return self - UInt8(ascii: "0") }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }
}
