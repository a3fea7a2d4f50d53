import Testing

@testable import Statistics

@Suite("NumericsMark")
struct NumericsMarkTests {
  @Test("The mark of this machine is the one that IEEE 754 gives everywhere")
  func expected() {
    #expect(NumericsMark.current == NumericsMark.expected)
  }

  @Test("Computing the results again gives the same mark")
  func stable() {
    #expect(NumericsMark(NumericsSample.results()) == .current)
  }

  @Test("One bit changed in any result changes the mark")
  func everyBitCounts() {
    let results = NumericsSample.results()
    for index in stride(from: 0, to: results.count, by: 61) where !results[index].isNaN {
      var changed = results
      changed[index] = Double(bitPattern: results[index].bitPattern ^ 1)
      #expect(NumericsMark(changed) != .current, "result \(index)")
    }
    #expect(NumericsMark(results.dropLast()) != .current)
  }

  @Test("Fusing a multiplication with an addition changes the mark")
  func fusing() throws {
    let operations = NumericsSample.operations
    let apart = try #require(operations.first { $0.name == "multiply, then add" })
    let fused = try #require(operations.first { $0.name == "fused multiply-add" })
    // 1 + 2⁻³⁰ squared loses its last bit before 1 is subtracted, unless both are one operation.
    let x = 1 + 0x1p-30
    #expect(apart.operation(x, x, -1) == 0x1p-29)
    #expect(fused.operation(x, x, -1) == 0x1p-29 + 0x1p-60)
  }

  @Test(
    "No function returns a NaN, whose bits differ among processors, and few return the same number twice"
  )
  func results() {
    let results = NumericsSample.results()
    #expect(results.allSatisfy { !$0.isNaN })
    #expect(Set(results).count > results.count * 9 / 10)
  }

  @Test("The text of a mark has 16 hexadecimal digits, and is read back")
  func text() {
    #expect(NumericsMark(hash: 0).description == "0000000000000000")
    #expect(NumericsMark(hash: 0xAB_CDEF_0123_4567).description == "00abcdef01234567")
    #expect(NumericsMark(hash: .max).description == "ffffffffffffffff")
    #expect(NumericsMark(NumericsMark.current.description) == .current)
    for text in ["", "1", "00ABCDEF01234567", "+0abcdef01234567", "00abcdef012345678"] {
      #expect(NumericsMark(text) == nil)
    }
  }
}
