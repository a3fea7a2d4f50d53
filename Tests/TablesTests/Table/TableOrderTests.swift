import TestSupport
import Testing

@testable import Tables

@Suite("The order and choice of rows and columns")
struct TableOrderTests {
  private func table(_ names: [String]) throws -> Table {
    var table = try Table(
      name: "t", title: "T",
      columns: [
        .key("step", .integer, ""), .key("variant", .text, ""), .measure("n", .integer, ""),
      ])
    for (number, name) in names.enumerated() {
      for step in 1...2 { try table.append(row: [.integer(step), .text(name), .integer(number)]) }
    }
    return table.sorted()
  }

  @Test("for people is 2 before 10, texts before numbers; programs get bytes")
  func natural() throws {
    let table = try table(["v10", "v2", "V3"])
    #expect(
      text(write(table, as: .csv))
        == "step,variant,n\n1,V3,2\n1,v10,0\n1,v2,1\n2,V3,2\n2,v10,0\n2,v2,1\n")
    let people = table.sortedForPeople().rows.map { $0[1] }
    #expect(people == ["v2", "v2", "V3", "V3", "v10", "v10"].map { .text($0) })
    for format in [TableFormat.markdown, .table] {
      let output = text(write(table, as: format))
      let places = ["v2", "V3", "v10"].compactMap { output.firstRange(of: $0)?.lowerBound }
      #expect(places.count == 3 && places == places.sorted(), "\(format)")
    }
  }

  @Test("is the same whatever the order of the rows before")
  func stable() throws {
    let names = ["a01", "a1", "a", "", "A1", "é2", "é10", "1", "02", "10"]
    let expected = try table(names).sortedForPeople()
    var rng = SeededGenerator(seed: 5)
    for _ in 0..<50 {
      let shuffled = try table(names.shuffled(using: &rng)).sortedForPeople()
      #expect(shuffled.rows.map { $0[1] } == expected.rows.map { $0[1] })
    }
  }

  @Test("of chosen columns is as chosen, in every format")
  func selecting() throws {
    var table = try table(["b", "a"])
    table.answer = ["A."]
    table.note("rule", .integer(1))
    let chosen = try table.selecting(["n", "variant"])
    #expect(text(write(chosen, as: .csv)) == "n,variant\n1,a\n0,b\n1,a\n0,b\n")
    #expect(chosen.answer == ["A."] && chosen.notes == table.notes)
  }

  @Test("of an unknown column is an error that names the nearest one")
  func unknown() throws {
    let table = try table(["a"])
    #expect {
      try table.selecting(["variant", "varaint"])
    } throws: {
      "\($0)" == "there is no column \"varaint\"; did you mean \"variant\"?"
    }
    #expect(throws: TableError.duplicateColumn("n")) { try table.selecting(["n", "n"]) }
    #expect(throws: TableError.noColumns(table: "t")) { try table.selecting([]) }
  }
}
