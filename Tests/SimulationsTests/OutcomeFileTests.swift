import Bandits
import Foundation
import TestSupport
import Testing

@testable import Simulations

@Suite("Files of outcomes")
struct OutcomeFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  /// Runs what is missing, and keeps it.
  private func simulate(_ plan: SimulationPlan, _ path: String, shard: Shard = .whole) throws
    -> OutcomeStore
  {
    var store = OutcomeStore(plan)
    let file = try OutcomeFile(path: path, plan: plan, into: &store)
    try SimulationRunner(PreparedPlan(plan), shard: shard, jobs: 2).run(&store) {
      try file.append($0, pair: $1, run: $2)
    }
    return store
  }

  @Test("a file that was cut anywhere is gone on with, to the same bytes", arguments: 0..<40)
  func cut(seed: UInt64) throws {
    let plan = smallPlan(runs: 3)
    let whole = try text(plan, simulated(plan))
    let file = path("runs")
    _ = try simulate(plan, file)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    var random = SeededGenerator(seed: seed)
    let kept = seed == 0 ? 0 : Int.random(in: 0...bytes.count, using: &random)
    try bytes.prefix(kept).write(to: URL(fileURLWithPath: file))
    #expect(try text(plan, simulate(plan, file)) == whole, "seed \(seed): \(kept) bytes")
    #expect(try text(plan, OutcomeFile.merge([file]).store) == whole)
  }

  @Test("finished runs are not repeated")
  func again() throws {
    let plan = smallPlan(runs: 3)
    let file = path("runs")
    _ = try simulate(plan, file)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    _ = try simulate(plan, file)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  @Test("files of shards are put together, in any order and twice")
  func merge() throws {
    let plan = smallPlan()
    for number in 1...3 {
      _ = try simulate(plan, path("\(number)"), shard: try #require(Shard("\(number)/3")))
    }
    let merged = try OutcomeFile.merge([path("3"), path("1"), path("2"), path("1")])
    #expect(try text(merged.plan, merged.store) == text(plan, simulated(plan)))
  }

  @Test("numbers round-trip with every bit, including those that JSON lacks")
  func numbers() throws {
    var point = RunOutcome.Point()
    point.regret = 0.1 + 0.2
    point.realizedRegret = -.infinity
    point.fixedRegret = -0.0
    point.reward = Double.leastNonzeroMagnitude
    point.bestChoices = 3
    let outcome = RunOutcome(
      points: [point], choices: [1, 2], regretByVariant: [0, 1e300], recommendation: 1, stopped: 3)
    let read = OutcomeLine.read(OutcomeLine.json(outcome, pair: 4, run: 5), steps: 1)
    #expect(read?.outcome == outcome && read?.pair == 4 && read?.run == 5)
    #expect(read?.outcome.points[0].fixedRegret.sign == .minus)
  }

  @Test("files of other plans, other files and damaged lines are refused with a reason")
  func refusals() throws {
    let plan = smallPlan(runs: 2)
    _ = try simulate(plan, path("runs"))
    var other = plan
    other.seed = 8
    #expect(code { _ = try simulate(other, path("runs")) } == .otherPlan)
    _ = try simulate(other, path("other"))
    #expect(code { _ = try OutcomeFile.merge([path("runs"), path("other")]) } == .otherPlan)
    try Data("experiment,variant\n".utf8).write(to: URL(fileURLWithPath: path("csv")))
    #expect(code { _ = try simulate(plan, path("csv")) } == .notOutcomes)
    #expect(code { _ = try OutcomeFile.merge([path("none")]) } == .notFound)
    #expect(code { _ = try OutcomeFile.merge([]) } == .usage)
    let text = try String(contentsOfFile: path("runs"), encoding: .utf8)
    let mark = #"{"bandolier_simulation":3"#
    for (head, expected) in [
      ("{\"bandolier_simulation\":1", OutcomeFileError.Code.otherVersion),
      ("{\"bandolier_simulation\":2", .otherVersion),
      ("{\"bandolier_simulation\":4", .otherVersion), (mark + "0", .otherVersion),
      (mark + " ", .damaged), ("{\"Bandolier_simulation\":3", .notOutcomes),
    ] {
      try text.replacing(mark, with: head)
        .write(toFile: path("changed"), atomically: true, encoding: .utf8)
      #expect(code { _ = try simulate(plan, path("changed")) } == expected, "\(head)")
      #expect(code { _ = try OutcomeFile.merge([path("changed")]) } == expected, "\(head)")
    }
  }

  @Test("runs of other data or another warm start are refused with what changed")
  func sources() throws {
    var plan = smallPlan(runs: 2)
    plan.sources = [
      PlanSource(path: "a.csv", content: "3 bytes"), PlanSource(path: "b", content: "x"),
    ]
    _ = try simulate(plan, path("runs"))
    _ = try simulate(plan, path("runs"))
    let merged = try OutcomeFile.merge([path("runs")])
    #expect(merged.plan.sources == plan.sources)
    try OutcomeFile.requireSame([plan.sources[1]], as: merged.plan)
    var other = plan
    other.sources[0].content = "4 bytes"
    let change = "a.csv had 3 bytes then, and has 4 bytes now"
    for body in [
      { _ = try simulate(other, path("runs")) },
      { try OutcomeFile.requireSame(other.sources, as: merged.plan) },
    ] {
      let error = #expect(throws: OutcomeFileError.self) { try body() }
      #expect(error?.code == .otherPlan && error?.description.contains(change) == true)
    }
    other.sources = []
    let error = #expect(throws: OutcomeFileError.self) { _ = try simulate(other, path("runs")) }
    #expect(error?.description.contains("(sources)") == true)
    _ = try simulate(other, path("others"))
    #expect(code { _ = try OutcomeFile.merge([path("runs"), path("others")]) } == .otherPlan)
    var warm = plan
    warm.warmStart = "log:path=b,experiment=e"
    var store = OutcomeStore(warm)
    #expect(
      code { _ = try OutcomeFile(path: path("runs"), plan: warm, into: &store) } == .otherPlan)
  }

  @Test("two simulations do not write one file")
  func locked() throws {
    let plan = smallPlan(runs: 2)
    var store = OutcomeStore(plan)
    let file = try OutcomeFile(path: path("runs"), plan: plan, into: &store)
    #expect(code { _ = try simulate(plan, path("runs")) } == .locked)
    withExtendedLifetime(file) {}
  }

  private func code(_ body: () throws -> Void) -> OutcomeFileError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? OutcomeFileError)?.code }
  }
}
