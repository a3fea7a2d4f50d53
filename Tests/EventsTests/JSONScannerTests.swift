import Foundation
import TestSupport
import Testing

@testable import Events

@Suite("JSON scanner against Foundation")
struct JSONScannerTests {
  static func problem(_ line: [UInt8]) -> JSONLineError? {
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    do throws(JSONLineError) {
      try decoder.decode(line.span, into: &record)
      return nil
    } catch {
      return error
    }
  }

  static func isAccepted(_ line: [UInt8]) -> Bool { problem(line) == nil }

  /// Whether a number stands in the line that Foundation refuses because no Double holds it: it is
  /// valid JSON nevertheless, and carried unread.
  static func hasHugeNumber(_ line: [UInt8]) -> Bool {
    String(decoding: line, as: UTF8.self).contains(/[0-9][eE]\+?[0-9]{3}/)
  }

  static func foundationAccepts(_ line: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(line))) != nil
  }

  /// One to three random changes: a byte replaced, removed, put in or doubled, or the end cut off.
  static func mutate(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    let alphabet =
      Array("\"\\{}[]:,.-+eE0123456789 \t\n\u{1}tfnulrasé/xX".utf8) + [0x80, 0xC3, 0xED, 0xF4]
    var result = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      guard let index = result.indices.randomElement(using: &generator) else { break }
      let byte = generator.pick(alphabet, or: 0x20)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: result[index] = byte
      case 1: result.remove(at: index)
      case 2: result.insert(byte, at: index)
      case 3: result.insert(result[index], at: index)
      default: if generator.chance(0.3) { result.removeSubrange(index...) }
      }
    }
    return result
  }

  @Test("accepts a changed line only if Foundation does, and never traps", arguments: 0..<6)
  func mutatedLines(seed: UInt64) throws {
    var events = RandomEvents(seed: 7_000 + seed)
    var accepted = 0
    for _ in 0..<400 {
      let line = Array(try events.event().jsonLine.utf8)
      for _ in 0..<10 {
        let changed = Self.mutate(line, using: &events.generator)
        guard Self.isAccepted(changed) else { continue }
        accepted += 1
        #expect(
          Self.foundationAccepts(changed) || Self.hasHugeNumber(changed),
          "seed \(seed): \(String(decoding: changed, as: UTF8.self))")
      }
    }
    #expect(accepted > 100)
  }

  @Test("agrees with Foundation about a changed value that is preserved", arguments: 0..<6)
  func mutatedValues(seed: UInt64) {
    var events = RandomEvents(seed: 9_000 + seed)
    let before = Array(#"{"type":"sessionExpired","time":0,"unit":"","x":"#.utf8)
    var (accepted, refused) = (0, 0)
    for _ in 0..<5_000 {
      let value = Array(events.json(depth: 3).utf8)
      let line = before + Self.mutate(value, using: &events.generator) + Array("}".utf8)
      let problem = Self.problem(line)
      if problem == nil { accepted += 1 } else { refused += 1 }
      // Foundation differs from RFC 8259 in two ways: a comma may end a list, and a number must fit.
      let isExcused =
        problem.map { $0.reason.contains("remove the comma") } ?? Self.hasHugeNumber(line)
      #expect(
        (problem == nil) == Self.foundationAccepts(line) || isExcused,
        "seed \(seed): \(String(decoding: line, as: UTF8.self))")
    }
    #expect(accepted > 200 && refused > 200)
  }

  @Test("refuses every truncated line, and never traps")
  func truncated() throws {
    for line in [Examples.decision, Examples.goal, Examples.conversion] + Examples.lifeCycle {
      let bytes = Array(line.utf8)
      for count in 0..<bytes.count { #expect(!Self.isAccepted(Array(bytes[..<count]))) }
      #expect(Self.isAccepted(bytes))
    }
  }

  @Test("scans random bytes without a trap", arguments: 0..<4)
  func noise(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      var line: [UInt8] = Array(#"{"type":"goal","#.utf8)
      for _ in 0..<Int.random(in: 0..<40, using: &generator) {
        line.append(UInt8.random(in: 0...255, using: &generator))
      }
      if Self.isAccepted(line) { #expect(Self.foundationAccepts(line)) }
    }
    #expect(!Self.isAccepted([]))
  }
}
