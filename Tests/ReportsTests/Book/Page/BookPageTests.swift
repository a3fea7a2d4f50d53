import Foundation
import Plots
import Tables
import Testing

@testable import Reports

@Suite("Page of a book")
struct BookPageTests {
  private func content(_ book: Book) throws -> PageContent {
    try #require(PageContent(BookPage(book).html), "the page is not well-formed")
  }

  @Test(
    "a page has what experiments came to first, then the health of the data, other reports, method"
  )
  func order() throws {
    var book = try SampleBook.everywhere("shop")
    book.overview[1].title = "Visits"
    book.overview[0].title = "Health"
    book.chapters[0].experiment = "button"
    let page = try content(book)
    let headings = page.elements.filter { ["h1", "h2"].contains($0.name) }
    #expect(
      headings.map(\.text) == ["shop", "button", "Health", "Visits", "Method"])
  }

  @Test("an empty book is a page with its title")
  func empty() throws {
    let page = try content(Book(title: "Nothing", answer: ["The log has no events."]))
    #expect(page.all("h1").map(\.text) == ["Nothing"])
    #expect(page.all("title").map(\.text) == ["Nothing"])
    #expect(page.all("h2").isEmpty && page.all("table").isEmpty)
  }

  @Test("a line ends neither before a per cent sign nor within an option of the command")
  func wholeWords() throws {
    let page = try content(
      Book(title: "T", answer: ["1 of 2 (50.1 %); --crossing first keeps -- and --> as they are."]))
    let options = page.all("span").filter { $0.attributes["class"] == "option" }
    #expect(options.map(\.text) == ["--crossing"])
    let html = BookPage(Book(title: "T", answer: ["95 % interval"])).html
    #expect(html.contains("<p>95\u{A0}% interval</p>"))
    #expect(HTML(name: "effective_sample_size").markup == "effective_<wbr/>sample_<wbr/>size")
  }

  @Test("headings skip no level")
  func headings() throws {
    let page = try content(SampleBook.everywhere("shop"))
    let levels = page.elements.compactMap { element in
      element.name.wholeMatch(of: /h([1-6])/).flatMap { Int($0.output.1) }
    }
    #expect(levels.first == 1 && levels.count { $0 == 1 } == 1)
    for (above, below) in zip(levels, levels.dropFirst()) { #expect(below <= above + 1) }
  }

  @Test("every table has a caption and headings with a scope, in a region with a label")
  func tables() throws {
    let page = try content(SampleBook.everywhere("shop"))
    let tables = page.all("table")
    #expect(tables.count > 4 && page.all("caption").count == tables.count)
    for heading in page.all("th") {
      #expect(["col", "row"].contains(heading.attributes["scope"]))
    }
    for table in tables {
      let region = page.elements[try #require(table.ancestors.last)]
      #expect(region.attributes["tabindex"] == "0" && region.attributes["role"] == "group")
      let label = try #require(region.attributes["aria-labelledby"])
      #expect(page.element(label)?.name == "caption")
    }
  }

  @Test(
    "every id is there once, and every link and reference leads to one",
    arguments: [
      ["button", "button", "Button!", "experiments", "top", "method", "health"],
      ["", "<>", "\u{1F600}", "🙂", "...", "experiment"],
      (0..<12).map { "variant of experiment \($0)" },
    ])
  func anchors(experiments: [String]) throws {
    var book = try SampleBook.everywhere("shop")
    let chapter = book.chapters[0]
    book.chapters = experiments.map {
      Book.Chapter(experiment: $0, answer: chapter.answer, sections: chapter.sections)
    }
    let page = try content(book)
    let ids = page.values("id")
    #expect(Set(ids).count == ids.count)
    let links = page.all("a").compactMap { $0.attributes["href"] }
    #expect(links.count > experiments.count)
    for link in links { #expect(link.hasPrefix("#") && ids.contains(String(link.dropFirst()))) }
    for reference in page.values("aria-labelledby") + page.values("aria-controls") {
      for id in reference.split(separator: " ") { #expect(ids.contains(String(id))) }
    }
  }

  @Test("a page loads nothing, and forbids it")
  func network() throws {
    let html = BookPage(try SampleBook.everywhere("https://example.com/a.js")).html
    let page = try #require(PageContent(html))
    #expect(page.values("src").isEmpty && page.values("action").isEmpty)
    #expect(page.values("href").allSatisfy { $0.hasPrefix("#") || $0 == "data:," })
    for style in page.all("style") {
      #expect(!style.text.contains("url(") && !style.text.contains("@import"))
    }
    for word in ["fetch", "XMLHttpRequest", "WebSocket", "sendBeacon", "import("] {
      #expect(!page.script.contains(word))
    }
    let policy = page.all("meta").first { $0.attributes["http-equiv"] == "Content-Security-Policy" }
    #expect(policy?.attributes["content"]?.hasPrefix("default-src 'none'; ") == true)
  }

  @Test("equal books give equal bytes")
  func determinism() throws {
    let pages = try (0..<3).map { _ in BookPage(try SampleBook.everywhere("shop")).html }
    #expect(Set(pages).count == 1)
  }

  @Test(
    "of a few experiments the page shows the cards, of many their first sentences; all else is folded",
    arguments: [(5, false), (9, true)])
  func chapters(count: Int, isLong: Bool) throws {
    var book = try SampleBook.everywhere("shop")
    book.chapters = try (1...count).map { number in
      var card = try SampleBook.card("e\(number)")
      card.headline = "The winner is v\(number)."
      return Book.Chapter(experiment: "e\(number)", cards: [card])
    }
    let page = try content(book)
    let chapters = page.all("details").filter { $0.attributes["data-part"] == "chapter" }
    #expect(chapters.count == count && chapters.allSatisfy { $0.attributes["open"] == nil })
    for number in 1...count {
      let headlines = page.all("p").filter { $0.text == "The winner is v\(number)." }
      let folded = headlines.count { headline in
        headline.ancestors.contains { page.elements[$0].name == "noscript" }
      }
      #expect(headlines.count == (isLong ? 2 : 1) && folded == (isLong ? 1 : 0))
    }
    #expect((page.element("experiments") != nil) == isLong)
  }

  @Test("closed chapters are in ASCII, and the same texts when they are read")
  func closedChapters() throws {
    let texts = ["blå", "– 🙂 –", "e\u{301}", "מבחן", "a&<b"]
    var book = try SampleBook.everywhere("shop")
    book.chapters = (1...12).map {
      Book.Chapter(experiment: "é\($0)", answer: texts, sections: [])
    }
    let html = BookPage(book).html
    let closed = html.components(separatedBy: "<noscript>").dropFirst().map {
      $0.components(separatedBy: "</noscript>")[0]
    }
    #expect(closed.count == 12 && closed.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    let paragraphs = try #require(PageContent(html)).all("p").map(\.text)
    for text in texts { #expect(paragraphs.count { Array($0.utf8) == Array(text.utf8) } >= 12) }
  }

  @Test("plots of one name have ids of their own, and share their style sheet")
  func plots() throws {
    let page = try content(SampleBook.large(experiments: 2, variants: 2))
    let plots = page.all("svg").filter { $0.attributes["aria-labelledby"] != nil }
    #expect(plots.count == 12)
    for plot in plots {
      #expect(page.element(plot.attributes["aria-labelledby"] ?? "")?.name == "title")
    }
    #expect(page.all("style").count { $0.text.contains(".mark{fill:#0072b2}") } == 1)
  }

  @Test("checks that failed come before those that warn, and the others on demand")
  func checks() throws {
    let page = try content(SampleBook.everywhere("shop"))
    let shown = page.all("th", in: "health--t1").filter { $0.attributes["scope"] == "row" }
    #expect(shown.map(\.text) == ["sample_ratio", "crossed_units"])
    let others = page.all("th", in: "health--t1--others").filter { $0.attributes["scope"] == "row" }
    #expect(others.map(\.text) == ["busy_units", "late_events"])
  }
}
