import Foundation
import TestSupport
import Testing

@Suite("report predictions")
struct ReportPredictionsTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Takes of units in two studies: what a unit takes follows from what it took before, but for every seventh take.
  private func lines(_ numbers: Range<Int>) -> [String] {
    numbers.map { number in
      let time = Timestamps.text(seconds: number)
      let step = number / 5
      let option = step % 7 == 6 ? "d" : ["a", "b", "c"][(step + number) % 3]
      return
        #"{"type":"dataPoint","time":"\#(time)","unit":"u\#(number % 5)","kind":"optionTaken","#
        + #""key":"\#(number % 4 == 0 ? "rooms" : "tabs")","value":"\#(option)"}"#
    }
  }

  private static let small = ["a", "b", "a", "a"].enumerated().map { number, option in
    #"{"type":"dataPoint","time":"\#(Timestamps.text(seconds: number))","unit":"u1","#
      + #""kind":"optionTaken","key":"tabs","value":"\#(option)"}"#
  }

  private static let heading = "study,predictor,events,hits,hit_rate,mrr,log_loss,brier,ece,units,"

  @Test("prints a row for each study and predictor")
  func scores() throws {
    expectDone(try Command.run("append \(log)", input: Self.small.text))
    let result = try Command.run(
      "report predictions \(log) --predictor uniform --predictor beauchamp --threshold 0.4 --format csv"
    )
    expectDone(result)
    #expect(result.lines.count == 3 && result.lines[0].hasPrefix(Self.heading))
    // Computed by hand in PredictionReportTests, but for the last digits.
    #expect(result.lines[1].hasPrefix("tabs,beauchamp,4,2,0.5,0.375,17.717328064762"))
    #expect(result.lines[1].contains(",0.4,0.5,0.5,"))
    #expect(result.lines[2].hasPrefix("tabs,uniform,4,2,0.5,0.25,"))
    #expect(result.messages == "")
    let warm = try Command.run(
      "report predictions \(log) --predictor beauchamp --warm-up 3 --cutoffs 2 --bins 5 --delay 1s --format csv"
    )
    #expect(warm.lines.last?.hasPrefix("tabs,beauchamp,1,1,1,1,") == true)
    #expect(
      warm.lines.last?.hasSuffix(",\"5 equal [low, high), 1 in the last\",e,1e-15,3,1") == true)
    #expect(warm.lines.first?.contains(",hit_at_2,ndcg_at_2,mrr_optimistic,") == true)
  }

  @Test("skill is against the baselines that were named")
  func baselines() throws {
    expectDone(try Command.run("append \(log)", input: lines(0..<100).text))
    let words = "report predictions \(log) --study tabs --predictor markov:order=2 --format csv"
    let named = words + " --baseline markov:order=1 --baseline markov:order=2"
    let scores = try Command.run(named)
    expectDone(scores)
    #expect(scores.lines.count == 2 && scores.lines[1].contains(",markov:order=1,"))
    let skill = try Command.run(named + " --table skill").lines
    #expect(skill.count == 2 && skill[1].hasPrefix("tabs,markov:order=2,markov:order=1,5,"))
    #expect(try Command.run(words + " --table skill").lines.count == 5)
  }

  @Test("without a predictor named there are all that are quick")
  func standard() throws {
    expectDone(try Command.run("append \(log)", input: lines(0..<100).text))
    let result = try Command.run("report predictions \(log) --study tabs --format csv")
    expectDone(result)
    let names = result.lines.dropFirst().map {
      $0.split(separator: ",")[1].filter { $0 != "\"" }
    }
    for name in ["beauchamp", "uniform", "last", "markov:order=2", "ppm:order=3"] {
      #expect(names.contains(name), "\(name)")
    }
    #expect(names == names.sorted())
    #expect(result.lines.dropFirst().allSatisfy { $0.hasPrefix("tabs,") })
  }

  @Test(
    "every table is written in every format",
    arguments: [
      "scores", "calibration", "learning-curve", "skill", "history", "thresholds", "advice",
    ])
  func tables(table: String) throws {
    expectDone(try Command.run("append \(log)", input: lines(0..<80).text))
    let words = "report predictions \(log) --predictor markov:order=1 --table \(table)"
    for format in ["table", "csv", "json", "jsonl", "markdown"] {
      let result = try Command.run("\(words) --format \(format)")
      expectDone(result)
      // The best one is told of there, whatever it is.
      let predictor = table == "advice" ? "uniform" : "markov:order=1"
      #expect(result.text.contains(predictor), "\(format)")
      if ["table", "json", "markdown"].contains(format) {
        #expect(result.text.contains("log loss of"), "\(format) has advice")
      }
      if ["json", "markdown"].contains(format) {
        #expect(result.text.contains("declared first"), "\(format)")
      }
    }
    let csv = try Command.run("\(words) --format csv").lines
    #expect(
      csv.count > 2
        && csv.dropFirst().allSatisfy { $0.hasPrefix("rooms,") || $0.hasPrefix("tabs,") })
  }

  @Test("late events, threads and little memory change nothing")
  func stable() throws {
    let lines = lines(0..<600)
    expectDone(try Command.run("append \(log)", input: lines.text))
    let other = folder.path("other")
    for part in [lines[450...], lines[..<210], lines[210..<450]] {
      expectDone(try Command.run("append \(other)", input: part.text))
    }
    for table in ["scores", "learning-curve", "skill", "advice"] {
      let words = "--format csv --table \(table) --by data.optionTaken.rooms"
      let report = try Command.run("report predictions \(log) \(words) --jobs 1")
      expectDone(report)
      #expect(report.lines.count > 2)
      for options in ["--jobs 2", "--jobs 7", "--jobs 2 --memory 1M"] {
        let same = try Command.run("report predictions \(other) \(words) \(options)")
        #expect(same.output == report.output, "\(table) \(options)")
      }
    }
  }

  @Test("draws diagrams and curves, the same ones every time")
  func plots() throws {
    expectDone(try Command.run("append \(log)", input: lines(0..<200).text))
    let paths = [folder.path("reliability.svg"), folder.path("learning.svg")]
    let words =
      "report predictions \(log) --predictor last --plot-reliability \(paths[0]) --plot-learning \(paths[1])"
    expectDone(try Command.run(words))
    expectFailure(
      try Command.run("report predictions \(log) --predictor last --plot-learning \(paths[1]).png"), 64,
      says: "--plot-learning", "does not end with .svg")
    let plots = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
    for svg in plots {
      #expect(svg.hasPrefix("<?xml") && svg.hasSuffix("</svg>\n"))
      #expect(svg.contains(">tabs") && svg.contains(">last</t"))
    }
    expectFailure(try Command.run(words), 73, says: paths[0], "--force")
    expectDone(try Command.run(words + " --force --jobs 1"))
    #expect(try paths.map { try String(contentsOfFile: $0, encoding: .utf8) } == plots)
  }

  @Test("decisions are predicted where that is asked for")
  func decisions() throws {
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<6).text))
    let none = try Command.run("report predictions \(log) --format csv")
    expectDone(none)
    #expect(none.lines.count == 1 && none.messages.contains("--over decisions"))
    let words = "report predictions \(log) --over decisions --predictor popular --format csv"
    let result = try Command.run(words)
    expectDone(result)
    #expect(result.lines.count == 2 && result.messages == "")
    #expect(result.lines.last?.hasPrefix("checkout,popular:smoothing=1,6,") == true)
    #expect(try Command.run(words + " --study checkout").output == result.output)
    #expect(try Command.run(words + " --experiment checkout").output == result.output)
    expectFailure(
      try Command.run(words + " --study tabs"), 65,
      says: #"has no experiment "tabs"; it has "checkout""#)
    let since = try Command.run(words + " --since \(Timestamps.text(seconds: 4))")
    #expect(since.lines.last?.hasPrefix("checkout,popular:smoothing=1,2,") == true)
    let days = try Command.run(words + " --by day")
    #expect(days.lines.last?.hasSuffix(",day,2026-01-01") == true)
  }

  @Test("a database has no answer, and says what has")
  func database() throws {
    expectDone(try Command.run("append \(log)", input: lines(0..<10).text))
    let model = folder.path("model.sqlite")
    expectDone(try Command.run("replay \(log) --into \(model)"))
    expectFailure(
      try Command.run("report predictions \(model)"), 64, says: model, "give the log itself")
  }

  @Test("wrong flags are mistakes of usage; a log or study that is not there is said so")
  func mistakes() throws {
    for (flags, part) in [
      ("--predictor crystal-ball", "markov"), ("--predictor markov:order=99", "order"),
      ("--baseline nothing", "markov"),
      ("--threshold 1.5", "--threshold"), ("--threshold nan", "--threshold"),
      ("--warm-up -1", "--warm-up"), ("--bins 0", "1 to 1000"), ("--cutoffs 1,x", "--cutoffs"),
      ("--cutoffs 0", "--cutoffs"), ("--delay soon", "--delay"), ("--over goals", "decisions"),
      ("--table nothing", "learning-curve"), ("--experiment e", "--study"),
      ("--without-reason forced", "--over decisions"), ("--by nothing", "--by"),
    ] {
      expectFailure(try Command.run("report predictions \(log) \(flags)"), 64, says: part)
    }
    expectFailure(try Command.run("report predictions \(log)"), 66, says: log)
    expectDone(try Command.run("append \(log)", input: lines(0..<9).text))
    expectFailure(
      try Command.run("report predictions \(log) --study nowhere"), 65,
      says: #"has no study "nowhere"; it has "rooms", "tabs""#)
    let explained = try Command.run("explain predictions")
    expectDone(explained)
    #expect(explained.text.contains("Dawid") && explained.text.contains("Naeini"))
  }

  @Test("predictors are listed with parameters, defaults and papers, and in the help of predict")
  func predictors() throws {
    let listed = try Command.run("predictors --format csv")
    expectDone(listed)
    #expect(listed.lines[0] == "name,parameter,default,range,meaning,family,summary,source,example")
    #expect(listed.lines.contains { $0.hasPrefix("half-life,days,5,") })
    #expect(listed.lines.contains { $0.hasPrefix("uniform,,,,") })
    let help = try Command.run(["predict", "--help"], environment: ["COLUMNS": "80"]).text
    let words = help.split { $0.isWhitespace || $0 == "," || $0 == ";" || $0 == ":" }
    for line in listed.lines.dropFirst() {
      let name = line.prefix { $0 != "," }
      #expect(words.contains(name), "\(name)")
    }
  }
}
