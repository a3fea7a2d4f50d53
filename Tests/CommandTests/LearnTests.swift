import Events
import Foundation
import TestSupport
import Testing

/// The whole path: a log, a policy learned from it, evaluated, simulated and served.
@Suite("learn")
struct LearnTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private static let log = root + "/datasets/storefront.log"
  private static let grid =
    "--policy-class tabular --policy-class tree:depth=2 --features one-hot(slot)+one-hot(device)"

  private let folder: TemporaryFolder
  private var file: String { folder.path("policy.json") }

  init() throws { folder = try TemporaryFolder() }

  private func learn(_ words: String) throws -> CommandResult {
    try Command.run("learn \(Self.log) --experiment homepage --format csv \(words)")
  }

  private func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  @Test("the report has each candidate, and the chosen one on held-out decisions")
  func report() throws {
    let result = try learn(
      "\(Self.grid) --objective dr --objective snips --objective dr -o \(file)")
    expectDone(result)
    #expect(result.lines[0].hasPrefix("experiment,part,policy,features,chosen,decisions,units,"))
    let rows = result.lines.dropFirst().map {
      $0.split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false)
    }
    #expect(rows.count == 8)
    #expect(rows.count { $0[1] == "cross-validation" } == 4)
    #expect(rows.count { $0[1] == "cross-validation" && $0[4].hasPrefix("true") } == 1)
    #expect(result.lines.contains { $0.hasPrefix("homepage,held-out,logged,,false,") })
    #expect(result.lines.contains { $0.hasPrefix("homepage,held-out,uniform,,false,") })
    let json = try JSONValue(parsing: try text())
    #expect(json["learned-from"]?["experiment"] == "homepage")
    #expect(json["learned-from"]?["positions"] == [0, 50000])
    #expect(json["learner"]?.string.map { text in rows.contains { $0[2] == text } } == true)
  }

  @Test("the same log and settings give the same bytes, and no file is overwritten unasked")
  func files() throws {
    expectDone(try learn("\(Self.grid) -o \(file) --jobs 1"))
    let first = try text()
    let again = try learn("\(Self.grid) -o \(file)")
    #expect(again.exitCode == 73)
    #expect(again.messages.contains("--force"))
    #expect(try text() == first)
    expectDone(try learn("\(Self.grid) -o \(file) --jobs 3 --force"))
    #expect(try text() == first)
    // Without a file the table alone is written.
    expectDone(try learn(Self.grid))
  }

  @Test("a log without a decision to learn from is bad data", arguments: [false, true])
  func nothing(hasEvent: Bool) throws {
    let events =
      hasEvent
      ? #"{"type":"goal","time":"2026-01-02T03:04:05Z","unit":"u","experiment":"e","goal":"g"}"#
      : ""
    try Data(events.utf8).write(to: URL(fileURLWithPath: folder.path("events.jsonl")))
    let log = folder.path("nothing.log")
    expectDone(try Command.run("import \(folder.path("events.jsonl")) --log \(log)"))
    let result = try Command.run("learn \(log) --policy-class tabular -o \(file)")
    #expect(result.exitCode == 65)
    let reason =
      hasEvent
      ? "experiment \"e\": there is no confirmed decision with a propensity in (0, 1], from which"
      : "\(log) has no experiment to learn from"
    #expect(result.messages.contains(reason), "\(result.messages)")
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("a learned policy is evaluated, simulated and served with the same probabilities")
  func path() throws {
    expectDone(
      try learn(
        "--policy-class tree:depth=2,lambda=0.1 --features one-hot(slot)+one-hot(device) "
          + "-o \(file) --test-share 0.3"))
    let policy = "learned:path=\(file)"
    let evaluated = try Command.run(
      "evaluate \(Self.log) --experiment homepage --policy \(policy) --estimator dr --format csv")
    expectDone(evaluated)
    #expect(evaluated.lines.count == 2)
    let environment = "log:path=\(Self.log),experiment=homepage,slot=hero,context=device"
    let simulated = try Command.run(
      "simulate -e \(environment) -p \(policy),slot=hero -p uniform --horizon 200 --runs 3 "
        + "--show variants --format csv")
    expectDone(simulated)
    let featured = environment.replacing("context=device", with: "features=one-hot(device)")
    expectDone(
      try Command.run("simulate -e \(featured) -p \(policy),slot=hero --horizon 200 --runs 3"))
    let other = environment.replacing("context=device", with: "features=one-hot(country)")
    let refused = try Command.run(
      "simulate -e \(other) -p \(policy),slot=hero --horizon 200 --runs 3")
    #expect(refused.exitCode == 64)
    #expect(refused.messages.contains("\"device\""), "\(refused.messages)")
    let json = try JSONValue(parsing: try text())
    #expect(json["class"] == "tree")
    let config = folder.path("agent.json")
    let agent = #"{"agent":"homepage","policy":"\#(policy)","controlShare":0}"#
    try agent.write(toFile: config, atomically: true, encoding: .utf8)
    let live = folder.path("live.log")
    let choices = "hero:spring,bestsellers,new-arrivals,clearance/banner:free-shipping,newsletter"
    let decided = try Command.run(
      "decide --log \(live) --unit u-1 --experiment homepage --choices \(choices) --seed 1 "
        + "--config \(config) --input device=phone --time 2026-03-01T00:00:00Z")
    expectDone(decided)
    let events = try Command.events(live).map { try JSONValue(parsing: $0) }
    // The whole policy is in the log, so the file is not needed any more.
    #expect(events.first?["configuration"]?["learnedPolicy"]?["tree"] == json["tree"])
    let decision = try #require(events.last)
    #expect(decision["context"]?["device"] == "phone")
    #expect(decision["policy"]?.string?.hasPrefix("learned:check=") == true)
    #expect(decision["probabilities"]?.array?.compactMap(\.number).reduce(0, +) == 1)
    try FileManager.default.removeItem(atPath: file)
    let later = try Command.run(
      "decide --log \(live) --unit u-2 --experiment homepage --input device=phone "
        + "--choices \(choices) --time 2026-03-02T00:00:00Z")
    expectDone(later)
    let last = try JSONValue(parsing: try #require(Command.events(live).last))
    #expect(last["probabilities"] == decision["probabilities"])
  }

  @Test(
    "what cannot be learned is refused, with what would help",
    arguments: [
      ("", 64, "name a policy class"), ("--policy-class trea", 64, "did you mean \"tree\""),
      ("--policy-class tree:objective=best", 64, "objective"),
      ("--policy-class tabular --objective best", 64, "objective"),
      ("--policy-class tabular --folds 1", 64, "from 2 to 20"),
      ("--policy-class tabular --test-share 1", 64, "from 0 to less than 1"),
      ("--policy-class tabular --test-share 0.1 --test-since 2026-01-02", 64, "leave one out"),
      ("--policy-class tabular --test-since 2020-01-01", 64, "all decisions would be held back"),
      ("--policy-class tabular --estimator mrdr", 64, "name ips, snips or dr"),
      ("--policy-class tabular --reward-model tablar", 64, "did you mean \"tabular\""),
      ("--policy-class tree", 64, "leave out those of the variant"),
      ("--policy-class tabular --alpha 2", 64, "--"),
      ("--policy-class tabular --features number(", 64, "parentheses"),
    ])
  func refused(words: String, code: Int32, reason: String) throws {
    let result = try learn(words)
    #expect(result.exitCode == code, "\(result.messages)")
    #expect(result.messages.contains(reason), "\(result.messages)")
    #expect(result.text.isEmpty)
  }

  @Test("one experiment is named where the log has several")
  func experiments() throws {
    let result = try Command.run("learn \(Self.log) --policy-class tabular")
    #expect(result.exitCode == 64)
    #expect(result.messages.contains("--experiment must be one of"))
    #expect(result.messages.contains("homepage"))
  }

  @Test("files that are no learned policies are refused wherever they are named")
  func wrongFiles() throws {
    try "{\"version\":1}".write(toFile: file, atomically: true, encoding: .utf8)
    let simulated = try Command.run(
      "simulate -e bernoulli:means=0.1 -p learned:path=\(file) --horizon 1 --runs 1")
    #expect(simulated.exitCode == 65)
    #expect(simulated.messages.contains("is not a learned policy"))
    let missing = try Command.run(
      "simulate -e bernoulli:means=0.1 -p learned:path=\(folder.path("none")) --horizon 1 --runs 1")
    #expect(missing.exitCode == 66)
    let config = folder.path("agent.json")
    for (policy, reason) in [
      ("learned:path=\(file)", "is not a learned policy"), ("learned", "needs a file"),
      ("learned:file=x", "no parameter"),
    ] {
      try #"{"agent":"x","policy":"\#(policy)"}"#.write(
        toFile: config, atomically: true, encoding: .utf8)
      let decided = try Command.run(
        "decide --log \(folder.path("live.log")) --unit u --experiment x --choices a,b --config \(config)"
      )
      #expect(decided.exitCode == 65, "\(policy)")
      #expect(decided.messages.contains(reason), "\(decided.messages)")
    }
  }

  @Test("an attribute that no decision has is an error, whichever class there is")
  func absentAttributes() throws {
    let message = "has an attribute \"contry\" in its context; did you mean \"country\"?"
    for words in [
      "--policy-class tabular --features one-hot(contry)",
      "--policy-class tree --features one-hot(contry)",
      "--policy-class tabular --model-features one-hot(contry)",
    ] {
      expectFailure(try learn(words), 64, says: message)
    }
  }

  @Test("explain learn has the formula of each objective and class")
  func explained() throws {
    let result = try Command.run("explain learn --format csv")
    expectDone(result)
    for name in ["ips", "snips", "dr", "regression"] {
      #expect(result.lines.contains { $0.hasPrefix("objective \(name),") }, "\(name)")
    }
    for name in ["tabular", "softmax-linear", "tree"] {
      #expect(result.lines.contains { $0.contains("policy \(name), ") }, "\(name)")
    }
    expectFailure(try Command.run("explain lern"), 64, says: "did you mean \"learn\"?")
  }
}
