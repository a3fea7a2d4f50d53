import DecidingCore
import Events
import Foundation
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("Session table")
struct SessionTableTests {
  /// A table and the plain map with the same sessions.
  private struct Twins {
    var table = SessionTable()
    var map = OrderedMap<UnitID, AgentSession>()
    /// The most sessions that were packed.
    var mostPacked = 0

    mutating func change(_ unit: UnitID, at time: Timestamp, _ body: (inout AgentSession) -> Void) {
      func touching(_ session: inout AgentSession) {
        body(&session)
        session.touch(time)
      }
      table.change(unit, orAdd: AgentSession(last: time)) { touching(&$0) }
      map.change(unit, orAdd: AgentSession(last: time)) { touching(&$0) }
      mostPacked = max(mostPacked, table.packedCount)
    }
  }

  private static func choice(_ random: inout SeededGenerator) -> HeldChoice.Choice {
    HeldChoice.Choice(
      variant: random.pick(["a", "b", "c"], or: "a"),
      propensity: random.pick([0.5, 0.25, nil], or: nil),
      policy: random.pick(["thompson", nil], or: nil), isForced: random.chance(0.1),
      segment: random.pick(["", "é", "e\u{301}"], or: ""),
      number: random.pick([7, nil], or: nil), epoch: random.index(3), isRewarded: random.chance(0.5)
    )
  }

  private static func disturb(_ session: inout AgentSession, _ random: inout SeededGenerator) {
    switch random.index(6) {
    case 0: session.expire()
    case 1: session.goals[random.pick(["order", "click"], or: "order"), default: 0] += 1
    case 2:
      session.exclusions.append(
        AgentSession.Exclusion(point: "p", slot: "s", reason: "not-eligible"))
    case 3: session.eligibility = random.pick([.in, .out, nil], or: nil)
    default:
      var held = HeldChoice(point: random.pick(["p", "q"], or: "p"), slot: "s")
      if random.chance(0.8) { held.confirmed = choice(&random) }
      if random.chance(0.3) { held.provisional = choice(&random) }
      session.held.append(held)
      session.latest = session.held.count - 1
    }
  }

  private static func twins(seed: UInt64, changes: Int = 2_000) -> Twins {
    var random = SeededGenerator(seed: seed)
    var twins = Twins()
    var seconds: Int64 = 1_700_000_000
    for _ in 0..<changes {
      // Now and then a clock is far ahead or behind.
      seconds += Int64(random.index(90))
      if random.chance(0.01) { seconds += 5_000 - Int64(random.index(9_000)) }
      let unit = UnitID("unit \(random.index(200))")
      let change = random.next()
      twins.change(unit, at: Timestamp(microseconds: seconds * 1_000_000)) { session in
        // The same for both twins.
        var random = SeededGenerator(seed: change)
        disturb(&session, &random)
      }
      if random.chance(0.002) {
        let count = random.index(max(1, twins.map.count))
        twins.table.truncate(to: count)
        twins.map.truncate(to: count)
      }
    }
    return twins
  }

  @Test(
    "has the sessions that a plain map has, some of them packed",
    arguments: 1...20 as ClosedRange<UInt64>)
  func twin(seed: UInt64) throws {
    let twins = Self.twins(seed: seed)
    #expect(twins.mostPacked > 20)
    #expect(twins.table.count == twins.map.count)
    #expect(twins.table.map(\.key) == twins.map.keys)
    for (unit, session) in twins.map { #expect(twins.table[unit] == session) }
    #expect(twins.table["nobody"] == nil)
  }

  @Test("is equal to one whose sessions are packed otherwise, and not to one with another session")
  func equality() throws {
    let twins = Self.twins(seed: 21)
    var packed = SessionTable()
    for (unit, session) in twins.map { packed.addPacked(unit, session) }
    #expect(packed.packedCount == packed.count)
    #expect(twins.table == packed)
    let unit = try #require(twins.map.keys.first)
    packed.change(unit) { $0.hasExpired.toggle() }
    #expect(twins.table != packed)
  }

  @Test("is encoded as a plain map is")
  func codable() throws {
    let twins = Self.twins(seed: 22)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(twins.table) == encoder.encode(twins.map))
    let decoded = try JSONDecoder().decode(SessionTable.self, from: encoder.encode(twins.table))
    #expect(decoded == twins.table)
  }

  @Test("packs what was idle for half an hour by the times of events, and nothing else")
  func idle() {
    var twins = Twins()
    let start: Int64 = 1_700_000_000
    func time(_ seconds: Int64) -> Timestamp {
      Timestamp(microseconds: (start + seconds) * 1_000_000)
    }
    for number in 0..<100 { twins.change(UnitID("u\(number)"), at: time(0)) { _ in } }
    for _ in 0..<100 { twins.change("u0", at: time(SessionTable.idleTime - 1)) { _ in } }
    #expect(twins.table.packedCount == 0)
    for _ in 0..<100 { twins.change("u0", at: time(SessionTable.idleTime)) { _ in } }
    #expect(twins.table.packedCount == 99)
    twins.change("u7", at: time(SessionTable.idleTime)) { $0.hasExpired = true }
    #expect(twins.table.packedCount == 98)
    #expect(twins.table["u7"]?.hasExpired == true)
  }
}
