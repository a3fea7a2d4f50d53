import Deciding
import Events
import Testing

@Suite("Restrictions")
struct RestrictionsTests {
  @Test("the holdout is determined by the hash of unit and name")
  func holdout() {
    let holdout = Holdout(name: "holdout-1", share: 0.3)
    #expect(UnitHash("user_42", "holdout-1").fraction == 0.23433501627126316)
    #expect(UnitHash("1267576", "holdout-1").fraction == 0.5314772255512306)
    #expect(holdout.holds("user_42"))
    #expect(!holdout.holds("1267576"))
  }

  @Test(
    "one member of a group has the unit",
    arguments: [
      ("1267576", 2, 1), ("1267576", 3, 2), ("user_42", 2, 0), ("user_42", 3, 0),
      ("visitor-2", 2, 1), ("visitor-2", 3, 2), ("visitor-2", 4, 3),
    ] as [(UnitID, Int, Int)])
  func groups(unit: UnitID, count: Int, index: Int) {
    let members = (0..<count).map { ExperimentID(String($0 + 9)) }
    let group = ExclusionGroup(name: "group1", members: members.reversed())
    #expect(group.members == members)
    #expect(group.member(for: unit) == members[index])
    let restrictions = Restrictions(groups: [group])
    for member in members {
      let refusal = restrictions.refusal(of: unit, in: member, at: Timestamp(microseconds: 0))
      #expect(refusal == (member == members[index] ? nil : .exclusionGroup))
    }
    let outsider = restrictions.refusal(of: unit, in: "other", at: Timestamp(microseconds: 0))
    #expect(outsider == nil)
  }

  @Test("each of 10,000 units is in exactly one experiment of a group, each a third")
  func exclusive() {
    let group = ExclusionGroup(name: "g", members: ["a", "b", "c"])
    var counts: [ExperimentID: Int] = [:]
    for number in 0..<10_000 {
      if let member = group.member(for: UnitID("u\(number)")) { counts[member, default: 0] += 1 }
    }
    #expect(counts.values.reduce(0, +) == 10_000)
    // Three standard deviations of a binomial count.
    for member in group.members { #expect(abs((counts[member] ?? 0) - 3333) < 142) }
  }

  @Test(
    "a schedule holds from its beginning and before its end",
    arguments: [
      (nil, nil, 5, true), (5, nil, 5, true), (6, nil, 5, false), (nil, 5, 5, false),
      (nil, 6, 5, true), (5, 6, 5, true), (5, 5, 5, false),
    ] as [(Int64?, Int64?, Int64, Bool)])
  func schedules(from: Int64?, to: Int64?, at: Int64, holds: Bool) {
    let schedule = Schedule(
      from: from.map(Timestamp.init(microseconds:)), to: to.map(Timestamp.init(microseconds:)))
    let restrictions = Restrictions(schedules: ["e": schedule])
    let refusal = restrictions.refusal(of: "u", in: "e", at: Timestamp(microseconds: at))
    #expect(refusal == (holds ? nil : .outsideSchedule))
  }

  @Test("an override lasts from its event to the event that ends it, for its unit and system")
  func overrides() {
    func event(_ unit: UnitID, _ reason: String, _ json: String, system: SystemID = "s") -> Event {
      Event(
        time: Timestamp(microseconds: 0), unit: unit,
        payload: .configurationApplied(
          ConfigurationApplied(
            system: system, experiment: "e", reason: reason,
            configuration: JSONText(validated: json))))
    }
    var overrides = Overrides()
    let taken = [
      event("u", "forced", #"{"variant":"b"}"#),
      event("v", "forced", #"{"variant":"b"}"#, system: "t"),
      event("v", "set", #"{"variant":"b"}"#), event("w", "forced", "[1"),
    ].map { overrides.apply($0, system: "s") }
    #expect(taken == [true, false, false, true])
    #expect(overrides.variant(for: "u", in: "e") == "b")
    #expect(overrides.variant(for: "v", in: "e") == nil)
    #expect(overrides.variant(for: "w", in: "e") == nil)
    let isEnded = overrides.apply(event("u", "unforced", "null"), system: "s")
    #expect(isEnded)
    #expect(overrides == Overrides())
  }
}
