import Tables
import Testing

@testable import Reports

@Suite("Tables of a page")
struct PageTableTests {
  private func content(_ table: Table, experiment: String? = nil) throws -> PageContent {
    let section = Book.Section(name: "report", title: "Report", tables: [table])
    let book =
      experiment.map {
        Book(title: "Shop", chapters: [Book.Chapter(experiment: $0, sections: [section])])
      } ?? Book(title: "Shop", overview: [section])
    return try #require(PageContent(BookPage(book).html))
  }

  private func headings(_ page: PageContent) -> [(name: String, isMain: Bool)] {
    page.all("th").filter { $0.attributes["scope"] == "col" }.map { heading in
      let classes = heading.attributes["class"]?.split(separator: " ") ?? []
      return (heading.text, !classes.contains("x"))
    }
  }

  @Test("main columns are shown at once, the others by a switch")
  func columns() throws {
    let page = try content(try SampleBook.series(experiment: "e", variants: 2, days: 3))
    let headings = headings(page)
    #expect(headings.count == 8)
    #expect(headings.filter { !$0.isMain }.map(\.name) == ["propensity_mean"])
    #expect(page.all("label").contains { $0.text.contains("All 8 columns") })
  }

  @Test("a table without main columns shows all of them, and has no switch")
  func allColumns() throws {
    var table = try Table(
      name: "t", title: "T", columns: [.key("a", .text, ""), .measure("b", .integer, "")])
    try table.append(row: [.text("x"), .integer(1)])
    try table.append(row: [.text("y"), .integer(2)])
    let page = try content(table)
    #expect(headings(page).allSatisfy { $0.isMain })
    #expect(page.all("label").isEmpty)
  }

  @Test(
    "a key that is the same in every row is in the caption instead, but for the chapter's experiment"
  )
  func common() throws {
    let table = try SampleBook.series(experiment: "button", variants: 1, days: 3)
    let outside = try content(table)
    #expect(
      outside.all("caption").map(\.text) == ["Day by dayexperiment buttonvariant variant-0"])
    let inside = try content(table, experiment: "button")
    #expect(inside.all("caption").map(\.text) == ["Day by dayvariant variant-0"])
  }

  @Test("the last key that is shown names its row")
  func rowHeadings() throws {
    let page = try content(try SampleBook.series(experiment: "e", variants: 2, days: 2))
    let rows = page.all("th").filter { $0.attributes["scope"] == "row" }
    #expect(rows.map(\.text) == ["2026-01-01", "2026-01-02", "2026-01-01", "2026-01-02"])
  }

  @Test("numbers are at the right, rounded for reading, with the exact number for sorting")
  func numbers() throws {
    let page = try content(try SampleBook.table("shop"))
    let cell = try #require(page.all("td").first { $0.text == "0.3" })
    // Most cells are numbers: those of texts have a class.
    #expect(cell.attributes["class"] == nil && page.all("td").first { $0.text == "shop" }?.attributes["class"] == "t")
    #expect(cell.attributes["data-v"] == "0.30000000000000004")
  }

  @Test("an empty cell says why if its row has a status")
  func empty() throws {
    let page = try content(try SampleBook.table("too few units"))
    let reasons = page.all("abbr").map { $0.attributes["title"] }
    #expect(reasons == ["no value: too few units", "no value: too few units"])
    let page2 = try content(try SampleBook.table("ok"))
    #expect(page2.all("abbr").isEmpty && page2.all("td").contains { $0.text == "–" })
  }

  @Test("verdicts have a sign of their own")
  func verdicts() throws {
    let page = try content(try SampleBook.table("failed"))
    let tones = page.all("span").filter { $0.attributes["class"]?.hasPrefix("tone") == true }
    #expect(tones.map(\.text) == ["failed", "failed", "better", "failed"])
    #expect(
      tones.map { $0.attributes["class"] ?? "" } == [
        "tone bad", "tone bad", "tone good", "tone bad",
      ])
  }

  @Test("a long table is cut, says so, and names the file that has all rows")
  func limit() throws {
    let page = try content(try SampleBook.series(experiment: "e", variants: 6, days: 20))
    #expect(page.all("tr").count == PageTable.rowLimit + 1)
    #expect(
      page.all("p").contains { $0.text == "The first 100 of 120 rows; series.csv has all of them." }
    )
  }

  @Test("tables with many rows can be filtered", arguments: [(2, 4, false), (3, 3, true)])
  func filter(variants: Int, days: Int, isFiltered: Bool) throws {
    let page = try content(
      try SampleBook.series(experiment: "e", variants: variants, days: days))
    let inputs = page.all("input").filter { $0.attributes["type"] == "search" }
    #expect(inputs.count == (isFiltered ? 1 : 0))
  }

  @Test("what a table says is not said twice")
  func answer() throws {
    var table = try SampleBook.series(experiment: "e", variants: 2, days: 2)
    table.answer = ["variant-1 wins."]
    let section = Book.Section(
      name: "series", title: "Series", answer: table.answer, tables: [table])
    let once = try #require(PageContent(BookPage(Book(title: "", overview: [section])).html))
    #expect(once.all("p").count { $0.text == "variant-1 wins." } == 1)
    let page = try content(table)
    #expect(page.all("p").count { $0.text == "variant-1 wins." } == 1)
  }
}
