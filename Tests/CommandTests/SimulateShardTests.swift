import Foundation
import TestSupport
import Testing

@Suite("simulate in shards")
struct SimulateShardTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// One run of each of six pairs.
  private static let plan =
    "simulate -e bernoulli:means=0.2;0.8 -e bernoulli:means=0.5;0.6 -p thompson -p ucb1 -p uniform "
    + "--horizon 60 --runs 1"

  private func make(_ shard: String, _ name: String, plan: String = plan) throws {
    expectDone(
      try Command.run(plan + " --shard \(shard) --checkpoint \(folder.path(name))"))
  }

  private func lines(_ name: String) throws -> [String] {
    try Files.bytes(folder.path(name)).text.split(separator: "\n").map(String.init)
  }

  @Test(
    "a plan with one run of many pairs is divided, and a folder of the shards gives the same bytes")
  func oneRun() throws {
    let whole = try Command.run(Self.plan)
    expectDone(whole)
    try FileManager.default.createDirectory(
      atPath: folder.path("parts"), withIntermediateDirectories: true)
    for number in 1...7 { try make("\(number)/7", "parts/\(number).jsonl") }
    // The plan and a run, but for the last of seven shards of six runs.
    #expect(try (1...7).map { try lines("parts/\($0).jsonl").count } == [2, 2, 2, 2, 2, 2, 1])
    _ = try folder.write("", "parts/_SUCCESS")
    let merged = try Command.run("simulate --merge \(folder.path("parts"))")
    expectDone(merged)
    #expect(merged.output == whole.output)
  }

  @Test("a missing run is named")
  func missing() throws {
    for number in [1, 3] { try make("\(number)/3", "\(number)") }
    let merge = [1, 3].map { "--merge \(folder.path("\($0)"))" }.joined(separator: " ")
    expectFailure(
      try Command.run("simulate \(merge)"), 65,
      says: "run 0 of ucb1 in bernoulli:means=0.2;0.8 is missing, and 1 more")
  }

  @Test("two different outcomes of a run are refused, naming both files, the pair and the run")
  func conflict() throws {
    try make("1/1", "a")
    try make("1/1", "b")
    var all = try lines("b")
    let seed = try #require(UInt32(all[0].dropLast(2).suffix(8), radix: 16))
    let index = try #require(all.firstIndex { $0.contains(#""pair":4,"#) })
    let body = String(all[index].dropLast(21)) + "}"
    #expect(all[index].contains(CRC32C.text(body, after: seed)))
    let changed = body.replacing(#""points":[["#, with: #""points":[[1"#)
    let sum = CRC32C.text(changed, after: seed)
    all[index] = changed.dropLast() + #","crc32c":"\#(sum)"}"#
    _ = try folder.write(all.text, "b")
    let (a, b) = (folder.path("a"), folder.path("b"))
    expectFailure(
      try Command.run("simulate --merge \(a) --merge \(b)"), 65,
      says: "\(a) and \(b) have different outcomes of run 0 of ucb1 in bernoulli:means=0.5;0.6")
  }

  @Test("files of other plans are refused, and damaged lines are as good as missing")
  func otherPlan() throws {
    try make("1/1", "a")
    // The same plan with another seed has other outcomes; under the first line of the plan their checksums are wrong.
    try make("1/1", "b", plan: Self.plan + " --seed 2")
    let (a, b) = (folder.path("a"), folder.path("b"))
    expectFailure(
      try Command.run("simulate --merge \(a) --merge \(b)"), 65, says: b, "another plan (seed)")
    let mixed = [try lines("a")[0]] + (try lines("b").dropFirst())
    _ = try folder.write(mixed.text, "c")
    let damaged = try Command.run("simulate --merge \(folder.path("c"))")
    expectFailure(damaged, 65, says: "the line is damaged", "is missing")
  }

  @Test("an empty folder and one that is not there are named")
  func empty() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("none"), withIntermediateDirectories: true)
    expectFailure(
      try Command.run("simulate --merge \(folder.path("none"))"), 66, says: folder.path("none"))
    expectFailure(
      try Command.run("simulate --merge \(folder.path("gone"))"), 66, says: folder.path("gone"))
  }
}

/// The checksum of the lines, bit by bit.
private enum CRC32C {
  static func text(_ body: String, after seed: UInt32) -> String {
    var crc = ~seed
    for byte in body.utf8 {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    return String(format: "%08x", ~crc)
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
