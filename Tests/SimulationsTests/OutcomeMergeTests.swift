import Bandits
import Foundation
import TestSupport
import Testing

@testable import Simulations

@Suite("Merging files of outcomes")
struct OutcomeMergeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ plan: SimulationPlan, _ name: String, shard: Shard = .whole) throws {
    var store = OutcomeStore(plan)
    let file = try OutcomeFile(path: folder.path(name), plan: plan, into: &store)
    try SimulationRunner(PreparedPlan(plan), shard: shard, jobs: 1).run(&store) {
      try file.append($0, pair: $1, run: $2)
    }
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: true)
  }

  @Test(
    "the files of any number of shards in a folder give the bytes of one machine",
    arguments: [1, 2, 3, 7, 64])
  func folders(count: Int) throws {
    let plan = smallPlan(runs: 5)
    try makeFolder("shards")
    for number in 1...count {
      try write(plan, "shards/\(number).jsonl", shard: try #require(Shard("\(number)/\(count)")))
    }
    let merged = try OutcomeFile.merge([folder.path("shards")])
    #expect(try text(merged.plan, merged.store) == text(plan, simulated(plan)))
  }

  @Test("files and folders mix, duplicates are ignored, and other files of a folder too")
  func mixed() throws {
    let plan = smallPlan(runs: 3)
    try makeFolder("shards")
    try write(plan, "shards/b", shard: try #require(Shard("2/3")))
    try write(plan, "shards/a", shard: try #require(Shard("1/3")))
    for name in ["shards/_SUCCESS", "shards/.b.crc", "shards/curves.svg", "shards/empty"] {
      _ = try folder.write(name == "shards/empty" ? "" : "<svg/>", name)
    }
    try write(plan, "c", shard: try #require(Shard("3/3")))
    try write(plan, "whole")
    let merged = try OutcomeFile.merge(
      [
        folder.path("c"), folder.path("shards") + "/", folder.path("whole"),
        folder.path("shards/a"),
      ]
    )
    #expect(try text(merged.plan, merged.store) == text(plan, simulated(plan)))
  }

  @Test("a folder without outcomes is refused")
  func emptyFolder() throws {
    try makeFolder("none")
    let error = #expect(throws: OutcomeFileError.self) {
      try OutcomeFile.merge([folder.path("none")])
    }
    #expect(error?.code == .notFound)
    #expect(error?.description.contains("has no files of `simulate --checkpoint`") == true)
  }

  /// Writes the outcomes of a plan with one run replaced by another.
  private func writeChanged(_ plan: SimulationPlan, _ name: String, pair: Int, run: Int) throws {
    let store = try simulated(plan)
    var unused = OutcomeStore(plan)
    let file = try OutcomeFile(path: folder.path(name), plan: plan, into: &unused)
    var outcome = try #require(store[pair, run])
    outcome.points[0].reward += 1
    try file.append(outcome, pair: pair, run: run)
  }

  @Test("two different outcomes of a run are refused, naming both files, the pair and the run")
  func conflict() throws {
    let plan = smallPlan(runs: 3)
    try write(plan, "a", shard: try #require(Shard("1/2")))
    try write(plan, "b", shard: try #require(Shard("2/2")))
    try writeChanged(plan, "c", pair: 4, run: 1)
    let error = #expect(throws: OutcomeFileError.self) {
      try OutcomeFile.merge(["a", "b", "c"].map { folder.path($0) })
    }
    #expect(error?.code == .conflict)
    let shard = try #require(Shard("1/2"))
    let owner = shard.contains(pair: 4, run: 1, of: 6) ? "a" : "b"
    #expect(
      error?.description.hasPrefix(
        "\(folder.path(owner)) and \(folder.path("c")) have different outcomes of run 1 of ucb1 in "
          + "bernoulli:means=0.4;0.5;") == true, "\(error?.description ?? "")")
  }

  @Test("two different outcomes of a run in one file are refused, merging and resuming")
  func conflictInFile() throws {
    let plan = smallPlan(runs: 2)
    try write(plan, "a")
    // The file is written by a process that does not see the outcomes that it has.
    try writeChanged(plan, "b", pair: 0, run: 0)
    let lines = try String(contentsOfFile: folder.path("b"), encoding: .utf8).split(separator: "\n")
    let all = try String(contentsOfFile: folder.path("a"), encoding: .utf8) + lines[1] + "\n"
    try all.write(toFile: folder.path("a"), atomically: true, encoding: .utf8)
    let merging = #expect(throws: OutcomeFileError.self) {
      try OutcomeFile.merge([folder.path("a")])
    }
    let resuming = #expect(throws: OutcomeFileError.self) { try write(plan, "a") }
    for error in [merging, resuming] {
      #expect(error?.code == .conflict)
      #expect(error?.description.hasPrefix("\(folder.path("a")) has different outcomes of") == true)
    }
  }

  @Test("outcomes with another numerics mark are refused, merging and resuming")
  func numerics() throws {
    let plan = smallPlan(runs: 2)
    let head = PlanLine.json(plan, numerics: "0123456789abcdef")
    let path = try folder.write(CheckedLine.line(head), "other")
    try write(plan, "own")
    let merging = #expect(throws: OutcomeFileError.self) {
      try OutcomeFile.merge([folder.path("own"), path])
    }
    let resuming = #expect(throws: OutcomeFileError.self) { try write(plan, "other") }
    for error in [merging, resuming] {
      #expect(error?.code == .otherNumerics)
      #expect(error?.description.contains("numerics mark 0123456789abcdef, here") == true)
    }
  }
}
