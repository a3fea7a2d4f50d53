import EventLog
import Replay
import Tables
import Testing

@testable import Reports

@Suite("The reports of a whole log with an analysis file")
struct BookAnalysisTests {
  private let log: ReportLog
  private let book: Book

  init() throws {
    log = try ReportLog(StoreLog.events())
    let plan = try AnalysisPlan(
      yaml: """
        experiments:
          price:
            baseline: "null"
            since: 1970-01-02
            metric: revenue
            guardrails: [converted]
            minimum_effect: 0.1
        """, path: "plan.yaml")
    book = try StoreLog.book(log, settings: BookSettings(title: "T", analysis: plan))
  }

  @Test("begin with the data-quality checks, then what to do")
  func answer() throws {
    let chapter = try #require(book.chapters.first { $0.experiment == "price" })
    #expect(chapter.sections.map(\.name).prefix(3) == ["health", "decisions", "compare"])
    #expect(chapter.answer.first?.contains("NA of price") == true)
    #expect(book.answer.contains { $0.contains("NA of price") })
    let other = try #require(book.chapters.first { $0.experiment == StoreLog.awkward })
    #expect(!other.sections.map(\.name).contains("decisions") && !other.answer.isEmpty)
    #expect(book.methods.map(\.report).contains("decisions"))
  }

  @Test("treat the planned experiment by its plan, and the others as without it")
  func rows() throws {
    let plain = try StoreLog.book(log)
    for name in ["rewards", "compare", "conversions", "regret", "visits", "retention"] {
      let planned = try #require(book.tables.first { $0.name == name })
      let without = try #require(plain.tables.first { $0.name == name })
      let other = { (table: Table) in
        table.named.filter { $0.text("experiment") == StoreLog.awkward }.map { row in
          without.columns.map { row[$0.name] ?? .empty }
        }
      }
      #expect(other(planned) == other(without) && !other(planned).isEmpty, "\(name)")
    }
    let rows = try #require(book.tables.first { $0.name == "compare" }).named.filter {
      $0.text("experiment") == "price"
    }
    #expect(rows.map { $0.text("metric") } == ["converted", "revenue"])
    #expect(rows.allSatisfy { $0.text("baseline") == "null" })
    // The first day has 24 decisions, every second one of this experiment.
    let decisions = try #require(book.tables.first { $0.name == "rewards" }).named
      .filter { $0.text("experiment") == "price" }.compactMap { $0.number("decisions") }
    #expect(decisions.reduce(0, +) == 200 - 12)
  }
}
