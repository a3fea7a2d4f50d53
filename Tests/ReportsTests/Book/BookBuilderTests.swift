import EventLog
import Events
import Replay
import Statistics
import Tables
import Testing

@testable import Reports

@Suite("The reports of a whole log")
struct BookBuilderTests {
  private let log: ReportLog

  init() throws { log = try ReportLog(StoreLog.events()) }

  @Test("are those that each report makes on its own")
  func same() throws {
    let book = try StoreLog.book(log)
    var corrected = ComparisonPlan()
    corrected.correction = .holm
    let alone: [Table] = try [
      try HealthReport().table(of: log.replay), try RewardReport().table(of: log.replay),
      try ConversionReport().table(of: log.replay), try VisitReport().table(of: log.replay),
      try RetentionReport().table(of: log.replay), try SeriesReport().table(of: log.replay),
      try RegretReport().table(of: log.replay),
      RegretReport { $0.decomposes = true }.table(of: log.replay),
      try AdaptiveReport().table(of: log.replay),
      ComparisonReport {
        $0.measures = MetricPlan([Metric(.reward), Metric(.converted), Metric(.revenue)])
        $0.plan = corrected
      }.table(of: log.replay),
    ]
    for table in alone {
      #expect(book.tables.first { $0.name == table.name } == table, "\(table.name)")
    }
    #expect(Set(book.tables.map(\.name)).count == book.tables.count)
    #expect(Set(book.methods.map(\.report)).isSuperset(of: ["health", "compare", "evaluate"]))
  }

  @Test("are the same on any number of threads")
  func threads() throws {
    let one = try BookJSON(StoreLog.book(log, jobs: 1)).bytes
    #expect(try BookJSON(StoreLog.book(log, jobs: 7)).bytes == one)
  }

  @Test("are divided by experiment, in natural order, each with its own rows only")
  func chapters() throws {
    let book = try StoreLog.book(log)
    #expect(book.chapters.map(\.experiment) == [StoreLog.awkward, "price"])
    for chapter in book.chapters {
      #expect(chapter.sections.map(\.name).contains("rewards"))
      for table in chapter.sections.flatMap(\.tables) {
        #expect(!table.rows.isEmpty)
        #expect(
          table.cells(of: "experiment").allSatisfy { $0 == .text(chapter.experiment) },
          "\(table.name)")
      }
    }
    #expect(book.overview.first?.name == "health")
    #expect(
      book.facts.contains { $0.name == "events" && $0.value == String(log.reader.eventCount) })
  }

  @Test("leave out what the log has no data for, and say why")
  func leftOut() throws {
    let book = try StoreLog.book(log)
    let reasons = try #require(book.overview.last { $0.name == "left_out" }).answer
    #expect(reasons.contains { $0.hasPrefix("evaluate: no decision of <script>") })
    #expect(reasons.contains("predictions: the log has no options taken in studies"))
    #expect(book.chapters[1].sections.contains { $0.name == "evaluate" })
    #expect(!book.chapters[0].sections.contains { $0.name == "evaluate" })
    // A path would differ from machine to machine.
    #expect(!reasons.joined().contains(log.reader.path))
  }

  @Test(
    "evaluate choosing at random, the logged policy and the best variant, by code points if means are equal"
  )
  func evaluation() throws {
    let book = try StoreLog.book(log)
    let values = try #require(book.tables.first { $0.name == "evaluation" })
    let policies = Set(
      values.cells(of: "policy").compactMap { if case .text(let p) = $0 { p } else { nil } })
    let rewards = try #require(book.tables.first { $0.name == "rewards" })
    let means = zip(rewards.cells(of: "variant"), rewards.cells(of: "reward_mean")).compactMap {
      variant, mean -> (String, Double)? in
      guard case .text(let name) = variant, case .decimal(let value) = mean,
        ["NA", "null"].contains(name)
      else { return nil }
      return (name, value)
    }
    let best = try #require(means.max { $0.1 < $1.1 }).0
    #expect(policies == ["logged", "uniform", "fixed:variant=\(best)"])
  }

  @Test("evaluate no variant that could not be chosen everywhere")
  func places() throws {
    let events = (0..<40).map { number -> Event in
      let isHero = number % 2 == 0
      let variant = VariantID((isHero ? "h" : "b") + "\(number % 4)")
      let decision = Decision(
        experiment: "home", slot: isHero ? "hero" : "banner", variant: variant, propensity: 0.5)
      return ReportLog.event(Int64(number), "u\(number)", .decision(decision))
    }
    let book = try StoreLog.book(ReportLog(events))
    let values = try #require(book.tables.first { $0.name == "evaluation" })
    #expect(
      Set(values.cells(of: "policy").map { "\($0)" }) == [
        "\(TableCell.text("logged"))", "\(TableCell.text("uniform"))",
      ])
  }

  @Test("say that there is nothing of an empty log")
  func empty() throws {
    let empty = try ReportLog([])
    let book = try StoreLog.book(empty)
    #expect(book.answer == ["The log has no events, so there is nothing to report."])
    #expect(book.tables.isEmpty && book.chapters.isEmpty)
  }

  @Test("have the steps of the funnel that are named, in order, or all goals each on its own")
  func steps() throws {
    let names = { (book: Book) in
      book.tables.first { $0.name == "funnel" }?.cells(of: "step_name").compactMap {
        cell -> String? in
        if case .text(let name) = cell { name } else { nil }
      }
    }
    #expect(Set(try #require(names(try StoreLog.book(log)))) == ["click", "purchase"])
    let settings = BookSettings(title: "T", steps: ["purchase"])
    #expect(Set(try #require(names(try StoreLog.book(log, settings: settings)))) == ["purchase"])
    let unknown = BookSettings(title: "T", steps: ["purchse"])
    let error = #expect(throws: ReportError.self) { try StoreLog.book(log, settings: unknown) }
    #expect(error?.description.contains("purchase") == true)
  }

  @Test("tell experiments apart whose names differ only in how an accent is composed")
  func accents() throws {
    let names = ["e\u{301}", "\u{E9}"]
    let events = names.flatMap { name in
      (0..<20).map { number in
        ReportLog.event(
          Int64(number), "\(name)-\(number)",
          .decision(
            Decision(
              experiment: ExperimentID(name), variant: number % 2 == 0 ? "a" : "b",
              choices: ["a", "b"], propensity: 0.5, probabilities: [0.5, 0.5])))
      }
    }
    let book = try StoreLog.book(try ReportLog(events))
    #expect(book.chapters.map { Array($0.experiment.utf8) } == names.map { Array($0.utf8) })
    for chapter in book.chapters {
      let evaluation = try #require(chapter.sections.first { $0.name == "evaluate" })
      for case .text(let name) in evaluation.tables.flatMap({ $0.cells(of: "experiment") }) {
        #expect(name.utf8.elementsEqual(chapter.experiment.utf8))
      }
    }
    let whole = try #require(book.tables.first { $0.name == "evaluation" })
    #expect(whole.rows.count == 2 * 9)
  }
}
