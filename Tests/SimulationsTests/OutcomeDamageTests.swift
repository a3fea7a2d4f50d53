import Bandits
import Foundation
import TestSupport
import Testing

@testable import Simulations

/// Whatever happens to a file of outcomes, the runs that come out of it are those of the plan, or an error says why not.
@Suite("Damaged files of outcomes")
struct OutcomeDamageTests {
  private let folder: TemporaryFolder
  private let file: String
  private let plan = SimulationPlan(
    environments: ["bernoulli:means=0.2;0.5"], policies: ["thompson", "ucb1"],
    rules: RunRules(horizon: 10), runs: 3, seed: 7, isPaired: true)
  private let expected: OutcomeStore
  private let bytes: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("runs")
    expected = try simulated(plan)
    _ = try Self.resume(file, plan)
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  /// Opens a file and makes the runs that are missing, on one thread, so that the order of the lines is certain.
  private static func resume(
    _ file: String, _ plan: SimulationPlan
  ) throws -> (store: OutcomeStore, damagedLines: [Int]) {
    var store = OutcomeStore(plan)
    let outcomes = try OutcomeFile(path: file, plan: plan, into: &store)
    try SimulationRunner(PreparedPlan(plan), jobs: 1).run(&store) {
      try outcomes.append($0, pair: $1, run: $2)
    }
    return (store, outcomes.damagedLines)
  }

  /// Reads bytes as a file would be: how many runs are missing, and how many lines are damaged; nil when they are refused.
  private func read(_ changed: [UInt8], _ comment: Comment) throws -> (missing: Int, damaged: Int)? {
    var store = OutcomeStore(plan)
    let total = plan.runs * 2
    var lines: OutcomeLines?
    do {
      lines = try OutcomeLines(changed, "runs")
    } catch is OutcomeFileError {
      return nil
    }
    if let head = lines?.plan, !PlanLine.areSame(head, plan) { return nil }
    _ = lines?.read(changed, into: &store)
    for pair in 0..<2 {
      for run in 0..<plan.runs {
        let outcome = store[pair, run]
        #expect(outcome == nil || outcome == expected[pair, run], comment)
      }
    }
    return (total - store.count, lines?.damaged.count ?? 0)
  }

  @Test("no changed byte makes another number", arguments: [0x01, 0x04, 0x80, 0x0A] as [UInt8])
  func everyByte(change: UInt8) throws {
    let head = try #require(bytes.firstIndex(of: 10))
    for index in bytes.indices {
      var changed = bytes
      // The last change makes a line end of the byte, or something else of a line end.
      changed[index] = change == 0x0A && bytes[index] != 10 ? 10 : bytes[index] ^ change
      let result = try read(changed, "byte \(index)")
      if index <= head {
        #expect(result == nil, "byte \(index)")
      } else if let result {
        #expect(result.missing >= 1 && result.missing <= 2, "byte \(index)")
        #expect(result.damaged >= 1 || index == bytes.count - 1, "byte \(index)")
      } else {
        Issue.record("byte \(index) was refused")
      }
    }
  }

  @Test("every beginning of a file is gone on with")
  func everyPrefix() throws {
    for count in bytes.indices {
      let result = try #require(try read(Array(bytes[..<count]), "\(count) bytes"))
      let lines = bytes[..<count].count { $0 == 10 }
      #expect(result.damaged == 0 && result.missing == 6 - max(0, lines - 1), "\(count) bytes")
    }
  }

  @Test("a damaged file is repaired: missing runs are repeated once", arguments: 0..<60)
  func resumed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var changed = bytes
    let head = try #require(bytes.firstIndex(of: 10))
    for _ in 0...random.index(3) {
      let index = head + 1 + random.index(bytes.count - head - 1)
      changed[index] ^= 1 << UInt8(random.index(8))
    }
    if random.chance(0.3) { changed.removeLast(random.index(changed.count - head)) }
    if random.chance(0.1) { changed = Array(bytes.prefix(random.index(head + 1))) }
    try Data(changed).write(to: URL(fileURLWithPath: file))
    let first = try Self.resume(file, plan)
    let second = try Self.resume(file, plan)
    let merged = try OutcomeFile.merge([file])
    for store in [first.store, second.store, merged.store] {
      for pair in 0..<2 { #expect(store.outcomes(of: pair) == expected.outcomes(of: pair)) }
    }
    #expect(second.damagedLines.isEmpty && merged.damagedLines.isEmpty, "seed \(seed)")
    #expect(try text(plan, second.store) == text(plan, expected), "seed \(seed)")
  }

  @Test("lines of another plan count for nothing, even where all else is the same")
  func otherPlan() throws {
    var other = plan
    other.seed = 8
    let path = folder.path("other")
    _ = try Self.resume(path, other)
    let foreign = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let start = try #require(foreign.firstIndex(of: 10))
    let head = try #require(bytes.firstIndex(of: 10))
    try Data(bytes[...head] + foreign[(start + 1)...]).write(to: URL(fileURLWithPath: file))
    let result = try Self.resume(file, plan)
    #expect(result.damagedLines == Array(2...7))
    for pair in 0..<2 { #expect(result.store.outcomes(of: pair) == expected.outcomes(of: pair)) }
  }

  @Test("a file whose first line was cut off starts anew, and so does one of zeros")
  func tornHead() throws {
    for content in [[], Array(bytes[..<30]), [UInt8](repeating: 0, count: 200)] {
      try Data(content).write(to: URL(fileURLWithPath: file))
      _ = try Self.resume(file, plan)
      #expect(Array(try Data(contentsOf: URL(fileURLWithPath: file))) == bytes)
    }
    try Data("hello".utf8).write(to: URL(fileURLWithPath: file))
    #expect(throws: OutcomeFileError.self) { try Self.resume(file, plan) }
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: file))) == Array("hello".utf8))
  }

  @Test("a file keeps its permissions")
  func permissions() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    try Data(bytes.dropLast(5)).write(to: URL(fileURLWithPath: file))
    _ = try Self.resume(file, plan)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
  }
}
