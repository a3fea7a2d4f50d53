import TestSupport
import Testing

@Suite("report compare and report power")
struct ReportCompareTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  /// Units of two variants, one a minute, some of which buy.
  init() throws {
    folder = try TemporaryFolder()
    let lines = (0..<40).flatMap { number -> [String] in
      let variant = number % 2 == 0 ? "control" : "new"
      let start = #""unit":"u\#(number)","time":""#
      let decision =
        #"{"type":"decision",\#(start)\#(Timestamps.text(seconds: 60 * number))","#
        + #""experiment":"shop","variant":"\#(variant)"}"#
      let goal =
        #"{"type":"goal",\#(start)\#(Timestamps.text(seconds: 60 * number + 5))","#
        + #""experiment":"shop","goal":"buy","value":\#(number % 7)}"#
      let conversion =
        #"{"type":"conversion",\#(start)\#(Timestamps.text(seconds: 60 * number + 6))","#
        + #""goal":"order","revenue":\#(number % 5)}"#
      return [decision] + (number % 3 == 0 ? [] : [goal]) + (number % 4 == 0 ? [conversion] : [])
    }
    expectDone(try Command.run("append \(log)", input: lines.text))
  }

  private func cells(_ line: String) -> [String] {
    line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("a row for each metric, which names its method; notes say what was done")
  func metrics() throws {
    let result = try Command.run(
      "report compare \(log) --metric converted:goal=buy --metric revenue --correction holm")
    expectDone(result)
    #expect(result.lines.count == 3)
    #expect(
      result.lines[0].hasPrefix(
        "experiment,point,slot,metric,variant,verdict,lift,lift_ci_low,lift_ci_high,p_value,units,mean,"
          + "difference,ci_low,ci_high,"))
    #expect(result.lines[1].hasPrefix("shop,point-1,decision-1,converted:goal=buy,new,no difference found,"))
    #expect(result.lines[2].hasPrefix("shop,point-1,decision-1,revenue,new,"))
    // Three units with a value in each variant are few.
    for line in result.lines.dropFirst() {
      #expect(line.contains(",welch,") || line.contains(",\"welch, at least the variance"))
    }

    let json = try Command.run("report compare \(log) --format json --cap 3 --cuped 14d")
    expectDone(json)
    for text in [
      #""units_assigned":40"#, "from the first exposure on, no window",
      "from the first exposure on, window 7d", #""cap":"3.0""#,
      "the same metric 14d before exposure",
    ] {
      #expect(json.text.contains(text), "\(text) in \(json.text)")
    }
  }

  @Test(
    "every method runs, on any number of threads with the same bytes",
    arguments: [
      "--method fisher", "--method mann-whitney", "--method bootstrap --replicates 50 --seed 7",
      "--method msprt --mixing-variance 0.01", "--method group-sequential --look 2/3",
      "--method group-sequential --look 2/3 --spending power=2", "--method bayes --prior 0;1",
      "--margin 0.5", "--post-stratify day", "--by day", "--expect control=0.6;new=0.4",
      "--expect none",
      "--lift-method fieller --alternative greater", "--baseline new --crossing first",
    ])
  func methods(options: String) throws {
    let words = "report compare \(log) --metric converted --metric reward \(options)"
    let one = try Command.run(words + " --jobs 1")
    expectDone(one)
    #expect(one.lines.count == 3)
    let many = try Command.run(words + " --jobs 5 --memory 1M")
    #expect(many.output == one.output)
  }

  @Test("power says what is needed, from a log or from numbers")
  func power() throws {
    let result = try Command.run(
      "report power \(log) --metric reward --metric converted --lift 0.2")
    expectDone(result)
    #expect(result.lines.count == 3)
    #expect(result.lines[1].hasPrefix("shop,point-1,decision-1,converted,control,2,40,20,"))
    let rate = try Command.run("report power --rate 0.1 --lift 0.2")
    expectDone(rate)
    #expect(rate.lines.last?.contains(",3839,3838.10") == true)
    let mean = try Command.run("report power --mean 10 --sd 5 --lift 0.1 --method z --units 100")
    expectDone(mean)
    #expect(mean.lines.last?.contains(",393,392.4") == true)
  }

  @Test(
    "wrong words are refused, and the message says what is right",
    arguments: [
      ("--metric clicks", #"available: "reward""#), ("--metric reward --metric reward", "twice"),
      ("--alpha 1", "between 0 and 1"), ("--method fischer", "fisher"),
      ("--method msprt", "--mixing-variance"), ("--mixing-variance 1", "msprt"),
      ("--method bayes --alternative less", "two-sided"), ("--margin=-1", "0 or more"),
      ("--margin 5%", "0.5pp"),
      ("--margin 1 --method z", "one-sided Welch"), ("--cuped 1d --method fisher", "--cuped"),
      ("--cuped 0d", "longer"), ("--look 1/2", "group-sequential"),
      ("--method group-sequential --look 3/2", "--look"),
      ("--prior 0;1", "bayes and bayes-lift only"),
      ("--method bayes --prior 0;0", "--prior"), ("--expect a", "--expect"),
      ("--post-stratify day --by day", "cannot be combined"),
      ("--post-stratify day --margin 1", "a margin or cuped"),
      ("--seed 1", "bootstrap"), ("--cap nan", "number"), ("--correction bonf", "--correction"),
      ("--cap -5", "--cap must be above 0"), ("--window 0", "--window must be longer than 0"),
      ("--minimum 2 --maximum 1", "--minimum 2 is above the maximum 1"),
    ])
  func wrongWords(options: String, message: String) throws {
    let result = try Command.run("report compare \(log) \(options)")
    expectFailure(result, 64, says: message)
  }

  @Test(
    "power refuses what does not go together",
    arguments: [
      ("", "name a log"), ("--rate 2", "between 0 and 1"), ("--rate 0.1 --mean 1", "name a log"),
      ("--mean 1", "name a log"), ("--rate 0.1 --lift 0", "--lift"),
      ("--rate 0.1 --lift 30", "write 30%"),
      ("--rate 0.1 --power 0.01", "above"),
      ("--rate 0.1 --metric reward", "need a log"), ("--rate 0.1 --direction lower", "need a log"),
      ("LOG --rate 0.1", "without a log"),
      ("LOG --by day", "--by"),
    ])
  func wrongPower(options: String, message: String) throws {
    let words = options.split(separator: " ").map { $0 == "LOG" ? log : String($0) }
    expectFailure(try Command.run(["report", "power"] + words), 64, says: message)
  }

  @Test("a window and a cap that do not hold for a metric are told")
  func ownSettings() throws {
    let path = try folder.write("metrics: {spend: {value: revenue, window: 3d, cap: 100}}\n", "m.yaml")
    let given = "report compare \(log) --metrics \(path) --metric spend"
    let result = try Command.run("\(given) --window 30d --cap 50")
    expectDone(result)
    for (name, own) in [("window", "3d"), ("cap", "100")] {
      let told = "note: --\(name) does not hold for spend, which has its own: \(own)"
      #expect(result.messages.contains(told), "\(result.messages)")
    }
    let plain = try Command.run(given)
    #expect(plain.messages.isEmpty && plain.output == result.output)
  }

  @Test("a log of conversions alone is told to lack assignments, and percentages to be of no whole")
  func lacking() throws {
    let orders = folder.path("orders")
    let event = #"{"type":"conversion","time":"2026-01-05T00:00:00Z","unit":"u","goal":"order"}"#
    expectDone(try Command.run("append \(orders)", input: [event].text))
    let result = try Command.run("report compare \(orders)")
    expectDone(result)
    #expect(result.messages.contains("has no decision; import the assignments too"), "\(result.messages)")
    expectFailure(try Command.run("report compare \(log) --expect control=50%,new=40%"), 64, says: "100 %")
    expectDone(try Command.run("report compare \(log) --expect control=33%,new=66.7%"))
  }

  @Test("a goal or variant that the log does not have is bad data")
  func unknownNames() throws {
    for verb in ["compare", "power"] {
      expectFailure(
        try Command.run("report \(verb) \(log) --metric reward:goal=nothing"), 65, says: "nothing")
      expectFailure(
        try Command.run("report \(verb) \(log) --baseline nothing"), 65, says: "nothing")
      expectFailure(try Command.run("report \(verb) \(folder.path("none"))"), 66, says: "none")
    }
  }
}
