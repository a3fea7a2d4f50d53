import Testing

@testable import Specifications

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test("have the width of their type, in lower case")
  func width() {
    #expect(UInt8(0).hexadecimal == "00")
    #expect(UInt8(0xAF).hexadecimal == "af")
    #expect(UInt16(0x1B).hexadecimal == "001b")
    #expect(UInt32.max.hexadecimal == "ffffffff")
    #expect(UInt64(0x0123_4567_89AB_CDEF).hexadecimal == "0123456789abcdef")
  }
}
