import Specifications
import TestSupport
import Testing

@testable import Bandits

@Suite("CSV tables")
struct CSVTableTests {
  @Test("fields may be quoted, lines may end with CRLF, and empty lines do not count")
  func reading() throws {
    let table = try CSVTable(
      "\u{FEFF}a,\"b,\"\"c\"\"\"\r\n1,\"x\ny\"\r\n\r\n\n,\n3,\"\"", name: "t.csv")
    #expect(table.heading == ["a", "b,\"c\""])
    #expect(table.rows == [["1", "x\ny"], ["", ""], ["3", ""]])
    #expect(table.lines == [2, 6, 7])
    #expect(try CSVTable("a\r\n1\r", name: "").rows == [["1"]])
  }

  @Test("numbers are parsed, and errors have their position")
  func numbers() throws {
    #expect(try CSVTable("a,b\n1,-2.5\n1e3,0\n", name: "").numbers() == [[1, -2.5], [1000, 0]])
    for bad in ["x", "", "nan", "inf", "1 "] {
      let table = try CSVTable("a,b\n1,2\n3,\"\(bad)\"\n", name: "t.csv")
      let error = #expect(throws: SpecificationError.self) { try table.numbers() }
      #expect(
        error?.description == "t.csv, line 3, column b: \"\(bad)\" is no finite number")
    }
  }

  @Test("malformed tables are rejected with the line")
  func refused() {
    for (text, place) in [
      ("", "is empty"), ("\n\n", "is empty"), ("a,a\n", "line 1"), ("a,\n", "column 2"),
      ("a,b\n1,2\n3\n", "line 3 has 1 fields"), ("a\n\"1\n2\n", "line 2: a quote is opened"),
      ("a\nx\"y\n", "line 2: a quote stands"), ("a\n\"x\"y\n", "line 2: text stands behind"),
    ] {
      let error = #expect(throws: SpecificationError.self) { try CSVTable(text, name: "t") }
      #expect(error?.description.contains(place) == true, "\(error?.description ?? "")")
    }
  }

  @Test("tables round-trip")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 8)
    let parts = ["", "a", "\"", ",", "\n", "é", "1.5", " ", "\r\n", "\r"]
    for _ in 0..<500 {
      let columns = 1 + random.index(4)
      let rows = (0..<random.index(5)).map { _ in
        (0..<columns).map { _ in
          (0..<random.index(4)).map { _ in random.pick(parts, or: "") }.joined()
        }
      }
      let text = ([(0..<columns).map { "c\($0)" }] + rows).map { row in
        row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
      }.joined(separator: random.chance(0.5) ? "\n" : "\r\n")
      #expect(try CSVTable(text, name: "").rows == rows)
    }
  }
}
