import Specifications
import Testing

@Suite("Specifications")
struct SpecificationTests {
  @Test(
    "specifications round-trip",
    arguments: ["thompson", "epsilon-greedy:epsilon=0.1", "x:a=1;2;3,b=", "table:path=a:b=c.csv"])
  func roundTrip(text: String) throws {
    #expect(try Specification(parsing: text).description == text)
  }

  @Test(
    "malformed specifications are rejected",
    arguments: ["", ":a=1", "x:", "x:a", "x:=1", "x:a=1,", "x:a=1,a=2"])
  func refused(text: String) {
    #expect(throws: SpecificationError.self) { try Specification(parsing: text) }
  }

  @Test("numbers are checked against their range, and unknown parameters are named")
  func parameters() throws {
    let specification = try Specification(parsing: "x:a=0.5,n=3,bad=nan")
    #expect(try specification.number("a", default: 1, in: 0...1) == 0.5)
    #expect(try specification.number("b", default: 0.25, in: 0...1) == 0.25)
    #expect(try specification.integer("n", default: 1, in: 1...9) == 3)
    #expect(throws: SpecificationError.self) {
      try specification.number("n", default: 1, in: 0...1)
    }
    #expect(throws: SpecificationError.self) {
      try specification.number("bad", default: 1, in: 0...1)
    }
    #expect(throws: SpecificationError.self) {
      try specification.integer("a", default: 1, in: 1...9)
    }
    #expect(throws: SpecificationError.self) { try specification.requireKeys(among: ["a", "n"]) }
    try specification.requireKeys(among: ["a", "n", "bad"])
  }
}
