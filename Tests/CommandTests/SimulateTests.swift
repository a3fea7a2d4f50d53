import Foundation
import TestSupport
import Testing

@Suite("simulate")
struct SimulateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two policies in two environments, quickly.
  private static let small =
    "simulate -e bernoulli:means=0.2;0.8 -e bernoulli:means=0.5;0.6 -p thompson -p ucb1 "
    + "--horizon 100 --runs 20"

  @Test("prints the regret of every policy in every environment at every checkpoint")
  func regret() throws {
    let result = try Command.run(Self.small)
    expectDone(result)
    let lines = result.lines
    #expect(
      lines[0]
        == "environment,policy,t,runs,regret_mean,regret_se,regret_q05,regret_median,regret_q95,reward_mean,"
        + "best_arm_rate,realized_regret_mean,fixed_regret_mean,simple_regret_mean,lai_robbins,lai_robbins_ratio"
    )
    #expect(lines.count == 1 + 2 * 2 * 7)
    #expect(lines[1].hasPrefix("bernoulli:means=0.2;0.8,thompson,1,20,"))
    #expect(lines[28].hasPrefix("bernoulli:means=0.5;0.6,ucb1,100,20,"))
  }

  @Test("uniform choice loses what arithmetic says, and always the best variant loses nothing")
  func known() throws {
    let result = try Command.run(
      "simulate -e bernoulli:means=0.25;0.75 -p fixed:variant=2 -p fixed:variant=1 --horizon 50 --runs 3 "
        + "--checkpoints 50")
    expectDone(result)
    #expect(
      result.lines[1].hasPrefix("bernoulli:means=0.25;0.75,fixed:variant=1,50,3,25,0,25,25,25,"))
    #expect(result.lines[2].hasPrefix("bernoulli:means=0.25;0.75,fixed:variant=2,50,3,0,0,0,0,0,"))
  }

  @Test(
    "threads, shards, and an end before the end do not change a byte",
    arguments: ["regret", "variants", "ranking", "differences", "recommendations"])
  func sameBytes(table: String) throws {
    let words = Self.small + " --show \(table)"
    let whole = try Command.run(words + " --jobs 1")
    expectDone(whole)
    #expect(try Command.run(words + " --jobs 2").output == whole.output)
    let paths = (1...3).map { folder.path("\($0)") }
    for (index, path) in paths.enumerated() {
      let part = try Command.run(Self.small + " --shard \(index + 1)/3 --checkpoint \(path)")
      expectDone(part)
      #expect(part.text == "")
    }
    let merge = paths.map { "--merge \($0)" }.joined(separator: " ")
    #expect(try Command.run("simulate \(merge) --show \(table)").output == whole.output)
    // As a kill leaves it: in the middle of a line.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: paths[0]))
    try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: paths[0]))
    #expect(try Command.run(words + " --checkpoint \(paths[0])").output == whole.output)
  }

  @Test("a killed simulation resumes where it was")
  func killed() throws {
    let words =
      "simulate -e bernoulli:means=0.2;0.8 -p thompson -p ucb1 --horizon 2000 --runs 400 --jobs 2"
    let whole = try Command.run(words)
    expectDone(whole)
    let path = folder.path("runs")
    for _ in 0..<4 {
      let command = try Command.start(
        (words + " --checkpoint \(path)").split(separator: " ").map(String.init))
      usleep(60_000)
      command.signal(SIGKILL)
      _ = try? command.finish()
    }
    #expect(try Command.run(words + " --checkpoint \(path)").output == whole.output)
  }

  @Test("a plan says what flags say, and flags beside it replace its own")
  func plan() throws {
    let yaml = """
      environments: [bernoulli:means=0.2;0.8, {bernoulli: {means: [0.5, 0.6]}}]
      policies: [thompson, ucb1]
      horizon: 100
      runs: 7
      """
    let path = try folder.write(yaml, "plan.yaml")
    #expect(
      try Command.run("simulate \(path) --runs 20").output == Command.run(Self.small).output)
  }

  @Test("the curves are drawn, the same ones every time")
  func plot() throws {
    let path = folder.path("curves.svg")
    expectDone(try Command.run(Self.small + " --svg \(path) --checkpoints linear:10"))
    let svg = try String(contentsOfFile: path, encoding: .utf8)
    #expect(svg.hasPrefix("<?xml") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains(">thompson</text>") && svg.contains(">bernoulli:means=0.5;0.6</text>"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    expectFailure(try Command.run(Self.small + " --svg \(path)"), 73, says: path, "--force")
    expectDone(try Command.run(Self.small + " --svg \(path) --force --checkpoints linear:10"))
    expectFailure(try Command.run(Self.small + " --svg x.png"), 64, says: "\"x.png\" does not end with .svg")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == svg)
  }

  @Test("a run as a log has a decision for each step, with propensities, and its rewards")
  func log() throws {
    let log = folder.path("log")
    let words = "simulate -e bernoulli:means=0.3;0.7 -p epsilon-greedy --horizon 500 --log \(log)"
    let result = try Command.run(words)
    expectDone(result)
    #expect(result.messages == "bandolier: wrote 1000 events of run 0 to \(log)\n")
    let events = try Command.events(log)
    #expect(
      events[0].contains(
        #""experiment":"simulation","variant":"1","choices":["1","2"],"propensity":0.5,"probabilities":[0.5,0.5],"#
          + #""policy":"epsilon-greedy","reason":"simulated""#)
        || events[0].contains(#""variant":"2""#))
    let rewards = try Command.run("report rewards \(log) --format csv")
    let decisions = rewards.lines.dropFirst().compactMap {
      Int($0.split(separator: ",", omittingEmptySubsequences: false)[4])
    }
    #expect(decisions.reduce(0, +) == 500)
    expectFailure(try Command.run(words), 73, says: "holds a log of 1000 events")
    expectFailure(
      try Command.run(Self.small + " --log \(folder.path("other"))"), 64,
      says: "--log writes one run")
  }

  @Test(
    "what cannot be simulated is refused with a reason",
    arguments: [
      ("simulate", "there is no environment"),
      ("simulate -e bernoulli:means=0.5", "there is no policy"),
      ("simulate -e nowhere -p ucb1", #"unknown environment "nowhere"; available: "#),
      (
        "simulate -e bernoulli:means=0.5 -p best",
        #"unknown policy "best"; did you mean "besa"?"#
      ),
      ("simulate -e bernoulli:means=7 -p ucb1", "must be a number from 0.0 to 1.0"),
      ("simulate -e bernoulli:means=0.5 -p ucb1 --horizon 0", "the horizon must be 1 to"),
      ("simulate -e bernoulli:means=0.5 -p ucb1 --runs 0", "runs must be 1 to"),
      ("simulate -e bernoulli:means=0.5 -p ucb1 --show times", "--until REGRET"),
      ("simulate -e bernoulli:means=0.5 -p ucb1 --shard 1/2", "--shard needs --checkpoint"),
      ("simulate -e bernoulli:means=0.5 -p ucb1 --checkpoints never", "checkpoints"),
      ("simulate -e bernoulli:means=0.5 --merge x", "--merge uses the plan of its files"),
    ])
  func refusals(words: String, reason: String) throws {
    expectFailure(try Command.run(words), 64, says: reason)
  }

  @Test("a plan or file that is not there is named")
  func notThere() throws {
    expectFailure(try Command.run("simulate none.yaml"), 66, says: "none.yaml")
    expectFailure(try Command.run("simulate --merge none"), 66, says: "none")
  }

  @Test("policies and environments are listed with parameters and sources")
  func lists() throws {
    let policies = try Command.run("policies --format csv")
    expectDone(policies)
    #expect(policies.lines[0] == "name,parameter,default,range,meaning,family,summary,source,example")
    #expect(policies.lines.contains { $0.hasPrefix("epsilon-greedy,epsilon,0.1,0 to 1,") })
    let environments = try Command.run("environments --format csv")
    expectDone(environments)
    #expect(environments.lines.contains { $0.hasPrefix("bernoulli,means,,") })
  }
}
