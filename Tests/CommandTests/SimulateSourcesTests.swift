import Foundation
import TestSupport
import Testing

@Suite("simulate from files and logs")
struct SimulateSourcesTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private var environment: String { "log:path=\(log),experiment=checkout" }

  init() throws { folder = try TemporaryFolder() }

  /// Red and blue in turn, with a goal of 2 for every other red one: means of 1 and 0.
  private func lines(_ numbers: Range<Int>) -> [String] {
    numbers.flatMap { number -> [String] in
      let decision = Samples.decisions(number..<number + 1)[0]
      let device = number % 8 < 4 ? "tv" : "phone"
      let goal =
        #"{"type":"goal","time":"\#(Timestamps.text(seconds: number + 1))","unit":"u\#(number)","#
        + #""experiment":"checkout","goal":"g","value":2}"#
      let shown = String(decision.dropLast()) + #","context":{"device":"\#(device)"}}"#
      return number % 4 == 0 ? [shown, goal] : [shown]
    }
  }

  private func append(_ numbers: Range<Int>, to path: String? = nil) throws {
    expectDone(try Command.run("append \(path ?? log)", input: lines(numbers).text))
  }

  private func run(_ words: String) throws -> CommandResult {
    try Command.run(words.split(separator: " ").map(String.init), directory: folder.path)
  }

  // MARK: Logs

  @Test("a log is an environment with the means of its decisions")
  func logEnvironment() throws {
    try append(0..<40)
    let words = "simulate -e \(environment) -p fixed:variant=blue --horizon 10 --runs 2"
    let result = try run(words + " --show variants --format csv")
    expectDone(result)
    #expect(result.lines[1].contains(",blue,2,0,1,10,"))
    #expect(result.lines[2].contains(",red,2,1,0,0,"))
    // The same from another folder and on other threads.
    let relative = try run(
      "simulate -e log:path=log,experiment=checkout -p fixed:variant=blue --horizon 10 --runs 2 "
        + "--show variants --format csv --jobs 2")
    #expect(
      relative.text.replacing("path=log,", with: "path=\(log),") == result.text)
    let ordered = try run(
      "simulate -e \(environment),variants=red -p ucb1 --horizon 10 --runs 2 --show variants")
    expectDone(ordered)
    #expect(ordered.lines.count == 2)
  }

  @Test("with a context the best variant of each value counts")
  func context() throws {
    try append(0..<40)
    // A goal for blue on phones only.
    let more = (0..<40).map { number in
      #"{"type":"decision","time":"\#(Timestamps.text(seconds: 1000 + number))","unit":"n\#(number)","#
        + #""experiment":"checkout","variant":"blue","context":{"device":"phone"}}"# + "\n"
        + #"{"type":"goal","time":"\#(Timestamps.text(seconds: 1100))","unit":"n\#(number)","#
        + #""experiment":"checkout","goal":"g","value":5}"#
    }
    expectDone(try Command.run("append \(log)", input: more.text))
    let result = try run(
      "simulate -e \(environment),context=device -p fixed:variant=red --horizon 200 --runs 3 --format csv"
    )
    expectDone(result)
    // Red is best on a tv, so that its regret is that of phones only.
    let last = try #require(result.lines.last).split(
      separator: ",", omittingEmptySubsequences: false)
    let rate = try #require(Double(last[12]))
    #expect(rate > 0.1 && rate < 0.4, "\(last)")
    expectFailure(
      try run("simulate -e \(environment),context=mood -p ucb1"), 65, says: "attribute \"mood\"")
  }

  @Test("with features contextual policies learn them, also in a warm start")
  func features() throws {
    try append(0..<40)
    let world = "\(environment),features=one-hot(device)+one-hot(variant)"
    let words = "simulate -e \(world) -p linucb -p ucb1 --horizon 60 --runs 4 --format csv"
    let result = try run(words + " --jobs 1")
    expectDone(result)
    #expect(try run(words + " --jobs 2").output == result.output)
    let warm = try run(words + " --warm-start \(world)")
    expectDone(warm)
    #expect(warm.output != result.output)
    expectFailure(try run(words + " --warm-start \(environment)"), 64, says: "features=TERMS")
    expectFailure(
      try run("simulate -e \(environment),features=one-hot(mood) -p linucb"), 65,
      says: "attribute \"mood\"")
    expectFailure(
      try run("simulate -e \(world),context=device -p linucb"), 64,
      says: "both context and features")
  }

  @Test("what the log does not have, a missing log and a damaged one are refused")
  func refusedLogs() throws {
    try append(0..<40)
    expectFailure(
      try run("simulate -e log:path=\(log),experiment=other -p ucb1"), 65,
      says: "has no experiment \"other\"")
    expectFailure(
      try run("simulate -e \(environment),variants=red;green -p ucb1"), 65,
      says: "variant \"green\"")
    expectFailure(try run("simulate -e log:path=\(log) -p ucb1"), 64, says: "needs experiment")
    expectFailure(
      try run("simulate -e log:path=none,experiment=checkout -p ucb1"), 66, says: "none")
    expectFailure(
      try run("simulate -e delayed:environment=(log:path=none,experiment=e),steps=2 -p ucb1"), 66,
      says: "none")
    // In the middle of three frames, where it is no unfinished end.
    for part in [40..<80, 80..<120] { try append(part) }
    try Files.change("\(log)/seg-00000000000000000000.bdl") { $0[$0.count / 2] ^= 1 }
    expectFailure(
      try run("simulate -e \(environment) -p ucb1"), 65, says: log, "bandolier log repair")
  }

  @Test("points and slots that are pooled are a note")
  func pooled() throws {
    let words = "simulate -p ucb1 --horizon 5 --runs 2 -e log:path=\(log),experiment=homepage"
    expectDone(try Command.run("generate storefront --events 2e3 --seed 1 --log \(log)"))
    #expect(try run(words).messages.contains("pools the decisions of 2 points and slots"))
    #expect(try run(words + ",slot=hero").messages.isEmpty)
  }

  @Test("runs of a log are gone on with while it is what it was, and refused when it has grown")
  func logFingerprint() throws {
    try append(0..<40)
    let words = "simulate -e \(environment) -p ucb1 -p thompson-gaussian --horizon 50 --runs 6"
    let whole = try run(words)
    expectDone(whole)
    let paths = ["1", "2"].map { folder.path($0) }
    for (index, path) in paths.enumerated() {
      expectDone(try run(words + " --checkpoint \(path) --shard \(index + 1)/2"))
    }
    let merge = "simulate " + paths.map { "--merge \($0)" }.joined(separator: " ")
    #expect(try run(merge).output == whole.output)
    #expect(try run(words + " --checkpoint \(paths[0])").output == whole.output)
    try append(40..<41)
    for other in [words + " --checkpoint \(paths[0])", merge] {
      expectFailure(try run(other), 65, says: "\(log) had 50 events with chain check ", "has 52")
    }
  }

  // MARK: Files

  @Test("tables are read from the folder that the command runs in")
  func files() throws {
    _ = try folder.write("north,south\n1,0\n1,0\n", "rewards.csv")
    let result = try run(
      "simulate -e adversarial:path=rewards.csv -p fixed:variant=south --horizon 4 --runs 2 --format csv"
    )
    expectDone(result)
    #expect(
      result.lines.last?.hasPrefix("adversarial:path=rewards.csv,fixed:variant=south,4,2,4,0,")
        == true)
    _ = try folder.write("size,kind\n1,round\n2,square\n", "shapes.csv")
    expectDone(
      try run("simulate -e supervised:path=shapes.csv,label=kind -p uniform --horizon 4 --runs 2"))
  }

  @Test("runs of a table are refused when its content changed, and gone on with when it is back")
  func fileFingerprint() throws {
    let path = try folder.write("north,south\n1,0\n0.5,0\n", "rewards.csv")
    let words =
      "simulate -e adversarial:path=rewards.csv -p ucb1 --horizon 20 --runs 4 --checkpoint runs"
    let whole = try run(words)
    expectDone(whole)
    try Files.change(path) { $0[12] = UInt8(ascii: "0") }
    for other in [words, "simulate --merge runs"] {
      expectFailure(
        try run(other), 65, says: "rewards.csv had 22 bytes with CRC-32C ",
        ", and has 22 bytes with CRC-32C ")
    }
    try Files.change(path) { $0[12] = UInt8(ascii: "1") }
    #expect(try run(words).output == whole.output)
    #expect(try run("simulate --merge runs").output == whole.output)
  }

  @Test("files that are not there or no text are named")
  func refusedFiles() throws {
    expectFailure(
      try run("simulate -e adversarial:path=none.csv -p ucb1"), 66, says: "none.csv")
    _ = try folder.write([0x61, 0xFF, 0x0A], "latin.csv")
    expectFailure(
      try run("simulate -e adversarial:path=latin.csv -p ucb1"), 65, says: "latin.csv", "UTF-8")
    _ = try folder.write("north,south\n1\n", "short.csv")
    expectFailure(
      try run("simulate -e adversarial:path=short.csv -p ucb1"), 64, says: "short.csv, line 2")
  }

  // MARK: Warm starts

  @Test("policies learn the decisions of a log before their first own")
  func warmStart() throws {
    try append(0..<400)
    let words =
      "simulate -e \(environment) -p ucb1 --horizon 2 --runs 5 --checkpoints 2 --format csv"
    let cold = try run(words)
    expectDone(cold)
    // Each variant once, blue costs 1; whoever knows the log takes red.
    #expect(cold.lines[1].contains(",ucb1,2,5,1,0,"))
    let warm = try run(words + " --warm-start \(environment)")
    expectDone(warm)
    #expect(warm.lines[1].contains(",ucb1,2,5,0,0,"))
    #expect(warm.messages == "")
    let plan = try folder.write(
      """
      environments: ["\(environment)"]
      policies: [ucb1]
      horizon: 2
      runs: 5
      checkpoints: [2]
      warm_start: {log: {path: \(log), experiment: checkout}}
      """, "plan.yaml")
    #expect(try run("simulate \(plan) --format csv").output == warm.output)
    let recorded = folder.path("recorded")
    expectDone(
      try run(
        "simulate -e \(environment) -p ucb1 --horizon 2 --warm-start \(environment) --log \(recorded)"
      ))
    #expect(try Command.events(recorded).filter { $0.contains(#""variant":"red""#) }.count == 2)
  }

  @Test("variants that the environment does not have are noted")
  func unmatched() throws {
    try append(0..<40)
    let result = try run(
      "simulate -e \(environment),variants=red -p ucb1 --horizon 2 --runs 2 --warm-start \(environment)"
    )
    expectDone(result)
    #expect(result.messages.contains("20 decisions for variant \"blue\" are not learned"))
    expectFailure(
      try run("simulate -e bernoulli:means=0.1;0.2 -p ucb1 --warm-start \(environment)"), 64,
      says: "none of the 40 decisions", "1, 2")
    expectFailure(
      try run("simulate -e \(environment) -p ucb1 --warm-start bernoulli:means=1"), 64,
      says: "log:path=FOLDER,experiment=NAME")
    expectFailure(
      try run("simulate -e \(environment) -p thompson --warm-start \(environment)"), 64,
      says: "needs rewards from 0 to 1")
  }

  @Test("runs after a warm start are refused once its log has grown, or without it")
  func warmFingerprint() throws {
    try append(0..<40)
    let other = folder.path("before")
    try append(0..<80, to: other)
    let words =
      "simulate -e \(environment) -p ucb1 --horizon 20 --runs 4 --checkpoint \(folder.path("runs"))"
    let warm = " --warm-start log:path=\(other),experiment=checkout"
    let whole = try run(words + warm)
    expectDone(whole)
    #expect(try run(words + warm).output == whole.output)
    #expect(try run("simulate --merge \(folder.path("runs"))").output == whole.output)
    expectFailure(try run(words), 65, says: "warm_start")
    try append(80..<81, to: other)
    expectFailure(try run(words + warm), 65, says: "\(other) had 100 events", "has 102 events")
    // Tables need no more than the environments.
    #expect(try run("simulate --merge \(folder.path("runs"))").output == whole.output)
  }
}
