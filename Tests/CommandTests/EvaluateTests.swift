import Foundation
import TestSupport
import Testing

@Suite("evaluate")
struct EvaluateTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Decisions of a unit each, red and blue in turn, with a goal for every fifth.
  private func lines(_ count: Int, propensity: String? = "0.5", shift: Int = 0) -> [String] {
    (0..<count).flatMap { number -> [String] in
      let time = Timestamps.text(seconds: number + shift)
      let known = propensity.map { #","propensity":\#($0)"# } ?? ""
      let decision =
        #"{"type":"decision","time":"\#(time)","unit":"u\#(number)","experiment":"checkout","#
        + #""variant":"\#(number % 2 == 0 ? "red" : "blue")","choices":["red","blue"]\#(known)}"#
      let goal =
        #"{"type":"goal","time":"\#(time)","unit":"u\#(number)","experiment":"checkout","#
        + #""goal":"g","value":2}"#
      return number % 5 == 0 ? [decision, goal] : [decision]
    }
  }

  private static let heading =
    "experiment,policy,estimator,decisions,value,se,ci_low,ci_high,effective_sample_size,mean_weight,max_weight,"
    + "matched,units,interval,choice,verdict,status"

  @Test("prints the value of each policy by each estimator")
  func values() throws {
    expectDone(try Command.run("append \(log)", input: lines(200).text))
    let result = try Command.run("evaluate \(log) --policy uniform --format csv")
    expectDone(result)
    #expect(result.lines.first == Self.heading && result.lines.count == 5)
    #expect(result.lines.contains { $0.hasPrefix("checkout,uniform,ips,200,0.4,") })
    #expect(result.lines.dropFirst().allSatisfy { $0.contains(",200,200,normal,,answers,") })
    let more = try Command.run(
      "evaluate \(log) --policy fixed:variant=red --policy uniform --estimator ips --interval normal "
        + "--interval clopper-pearson --interval bootstrap:replicates=50 --format csv")
    #expect(more.lines.count == 7)
  }

  @Test(
    "the verdict is above the numbers in a terminal, in Markdown and in JSON")
  func verdicts() throws {
    expectDone(try Command.run("append \(log)", input: lines(20).text))
    let verdict = "uniform: cannot-answer: the effective sample size is 20 of 20 decisions"
    for (format, mark) in [
      ("table", "estimator"), ("markdown", "| estimator"), ("json", "\"rows\""),
    ] {
      let text = try Command.run("evaluate \(log) --policy uniform --format \(format)").text
      let joined = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let place = try #require(joined.range(of: verdict), "\(format)")
      let rows = try #require(joined.range(of: mark), "\(format)")
      #expect(place.lowerBound < rows.lowerBound, "\(format)")
    }
  }

  @Test("--fail-on support ends with 3 after the report was written, unless the log answers")
  func failOn() throws {
    expectDone(try Command.run("append \(log)", input: lines(60).text))
    let plain = try Command.run("evaluate \(log) --policy uniform --format csv")
    expectDone(plain)
    let result = try Command.run("evaluate \(log) --policy uniform --fail-on support --format csv")
    #expect(result.exitCode == 3 && result.output == plain.output)
    #expect(result.messages.contains("support: uniform: weak: the effective sample size is 60"))
    let other = folder.path("other")
    expectDone(try Command.run("append \(other)", input: lines(300).text))
    expectDone(try Command.run("evaluate \(other) --policy uniform --fail-on support"))
    let third = folder.path("third")
    let offered = lines(300).text.replacing("\"blue\"]", with: "\"blue\",\"green\"]")
    expectDone(try Command.run("append \(third)", input: offered))
    let never = try Command.run("evaluate \(third) --policy fixed:variant=green --fail-on support")
    #expect(never.exitCode == 3 && never.messages.contains("none of the 300 decisions"))
    let empty = folder.path("empty")
    expectDone(try Command.run("append \(empty)", input: ""))
    let nothing = try Command.run("evaluate \(empty) --policy uniform --fail-on support")
    #expect(nothing.exitCode == 3 && nothing.messages.contains("no experiment to answer from"))
  }

  @Test("a variant that a policy names and the log does not have is in the verdict")
  func absentVariants() throws {
    expectDone(try Command.run("append \(log)", input: lines(300).text))
    func verdict(_ policy: String) throws -> String {
      let text = try Command.run("evaluate \(log) --policy \(policy) --format json").text
      return text.replacing("\\\"", with: "'")
    }
    let weights = try verdict("weights:blu=0.7;red=0.3")
    #expect(
      weights.contains(": weak: no decision has the variant 'blu'; did you mean 'blue'?"),
      "\(weights)")
    #expect(try verdict("weights:green=0;red=0.3").contains("green'") == false)
    #expect(try verdict("fixed:variant=red").contains("fixed:variant=red: answers"))
  }

  @Test("a policy without a variant of the experiment has no value, and is refused if no experiment has one")
  func otherVariants() throws {
    let other = #"{"type":"decision","time":"2026-01-02T03:04:05Z","unit":"u","experiment":"other","variant":"x","#
    expectDone(
      try Command.run("append \(log)", input: (lines(60) + [other + #""propensity":1}"#]).text))
    let both = try Command.run("evaluate \(log) --policy fixed:variant=x --format csv")
    expectDone(both)
    let absence = #","no value: no decision has the variant ""x""; the experiment has ""blue"", ""red""""#
    expectFailure(
      try Command.run("evaluate \(log) --policy uniform --truth \(log) --truth-experiment other"), 64,
      says: "--truth-experiment names one experiment, and 2 are evaluated", "Usage: bandolier evaluate <log>")
    for line in both.lines where line.hasPrefix("checkout,") {
      #expect(line.contains(",,") && line.contains(",cannot-answer,") && line.hasSuffix(absence), "\(line)")
    }
    #expect(both.lines.contains { $0.hasPrefix("other,fixed:variant=x,ips,1,0,") }, "\(both.text)")
    let table = try folder.write("variant,probability\nrde,1\n", "policy.csv")
    for policy in ["fixed:variant=rde", "weights:rde=1", "table:path=\(table)"] {
      expectFailure(
        try Command.run("evaluate \(log) --experiment checkout --policy \(policy)"), 65,
        says: "experiment \"checkout\" of \(log) has no variant \"rde\"; did you mean \"red\"?")
    }
    expectFailure(
      try Command.run("evaluate \(log) --policy fixed:variant=nope"), 65,
      says: "no evaluated experiment of \(log) has the variant \"nope\"; available: \"blue\", \"red\", \"x\"")
  }

  @Test("an attribute that no decision has is an error, whichever model there is")
  func absentAttributes() throws {
    let decisions = lines(100).map {
      $0.replacing(#","propensity""#, with: #","context":{"country":"IN"},"propensity""#)
    }
    expectDone(try Command.run("append \(log)", input: decisions.text))
    for model in ["tabular", "linear"] {
      let words = "--policy uniform --reward-model \(model) --features"
      expectFailure(
        try Command.run("evaluate \(log) \(words) number(contry)"), 64,
        says: "has an attribute \"contry\" in its context; did you mean \"country\"?")
      expectDone(try Command.run("evaluate \(log) \(words) one-hot(country)+one-hot(variant)"))
    }
  }

  @Test("a log without propensities says so")
  func noPropensities() throws {
    expectDone(try Command.run("append \(log)", input: lines(30, propensity: nil).text))
    let result = try Command.run("evaluate \(log) --policy uniform --estimator ips --format csv")
    expectDone(result)
    #expect(
      result.lines.last
        == "checkout,uniform,ips,0,,,,,,,,0,0,normal,,cannot-answer,no value: no decision that can be used has weight",
      "\(result.text)")
    let text = try Command.run("evaluate \(log) --policy uniform --format json").text
    #expect(text.contains("none of the 30 decisions has a propensity"))
  }

  @Test("tables, plots and comparisons are the same for any number of threads and order")
  func stable() throws {
    expectDone(try Command.run("append \(log)", input: lines(400).text))
    let other = folder.path("other")
    for part in [lines(400)[300...], lines(400)[..<120], lines(400)[120..<300]] {
      expectDone(try Command.run("append \(other)", input: part.text))
    }
    let plot = folder.path("plot.svg")
    for options in [
      "", "--table support", "--table overlap", "--table propensities", "--table weights",
      "--table time", "--versus uniform", "--windows 1d,none", "--truth \(log) --replicates 20",
    ] {
      let words =
        "--policy weights:red=0.7;blue=0.3 \(options) --format csv --plot-time \(plot) --force"
      let first = try Command.run("evaluate \(log) \(words) --jobs 1")
      expectDone(first)
      let drawn = try Files.bytes(plot)
      #expect(first.lines.count > 1, "\(options)")
      for jobs in [2, 7] {
        let again = try Command.run("evaluate \(other) \(words) --jobs \(jobs)")
        #expect(again.output == first.output, "\(options)")
        #expect(try Files.bytes(plot) == drawn, "\(options)")
      }
    }
  }

  @Test("--versus compares with a policy, and --truth judges the estimators")
  func comparisons() throws {
    expectDone(try Command.run("append \(log)", input: lines(400).text))
    let versus = try Command.run(
      "evaluate \(log) --policy fixed:variant=red --versus uniform --format json")
    expectDone(versus)
    #expect(versus.text.contains("\"report\":\"versus\""))
    #expect(versus.text.contains("policy fixed:variant=red earns "))
    let known = try Command.run(
      "evaluate \(log) --policy fixed:variant=red --policy uniform --versus uniform --format csv")
    #expect(known.lines.count == 5, "\(known.text)")
    let truth = try Command.run(
      "evaluate \(log) --policy uniform --truth \(log) --truth-experiment checkout --format csv")
    expectDone(truth)
    #expect(truth.lines.first?.contains(",relative_error,error_mean,") == true)
  }

  @Test("explain evaluate has the formulas and sources; evaluate is no verb of report")
  func explained() throws {
    let result = try Command.run("explain evaluate --format csv")
    expectDone(result)
    for text in ["verdict", "estimator dr,", "interval bootstrap", "Horvitz and Thompson 1952"] {
      #expect(result.text.contains(text), "\(text)")
    }
    #expect(try Command.run("report evaluate \(log)").exitCode == 64)
  }

  @Test(
    "wrong options are mistakes of usage",
    arguments: [
      ("", "--policy uniform"), ("--polcy uniform", "Did you mean '--policy'?"),
      ("--policy=uniform --estimatr ips", "Did you mean '--estimator'?"),
      ("--policy linucb", "--features"), ("--policy unifrom", "did you mean \"uniform\""),
      ("--policy uniform --estimator ipss", "did you mean \"ips\""),
      ("--policy uniform --interval norml", "did you mean \"normal\""),
      ("--policy uniform --policy uniform", "given twice"),
      ("--policy uniform --estimator ips --estimator ips", "given twice"),
      ("--policy uniform --table versus", "--versus"),
      ("--policy uniform --table best", "overlap"),
      ("--policy uniform --versus uniform", "--policy"),
      ("--policy uniform --versus ucb1", "learning policy"),
      ("--policy uniform --windows 1h,soon", "--windows"),
      ("--policy uniform --windows 1h,1h", "given twice"),
      ("--policy uniform --by context.device", "--by"),
      ("--policy uniform --fail-on srm", "support"),
      ("--policy uniform --replicates 10", "--truth"),
      ("--policy uniform --policy logged --truth other", "single target policy"),
      ("--policy uniform --alpha 2", "--alpha"),
    ])
  func mistakes(options: String, part: String) throws {
    expectDone(try Command.run("append \(log)", input: lines(4).text))
    expectFailure(try Command.run("evaluate \(log) \(options)"), 64, says: part)
  }

  @Test("a log, an experiment or a file that is not there is said so")
  func missing() throws {
    expectDone(try Command.run("append \(log)", input: lines(4).text))
    let none = folder.path("none")
    expectFailure(try Command.run("evaluate \(none) --policy uniform"), 66, says: none)
    expectFailure(
      try Command.run("evaluate \(log) --policy uniform --truth \(none)"), 66, says: none)
    expectFailure(
      try Command.run("evaluate \(log) --policy uniform --experiment chekout"), 65,
      says: "checkout")
    expectFailure(
      try Command.run("evaluate \(log) --policy uniform --truth \(log) --truth-experiment chekout"),
      65, says: "checkout")
    let table = try Command.run("evaluate \(log) --policy table:path=\(none).csv")
    expectFailure(table, 66, says: "\(none).csv")
  }
}
