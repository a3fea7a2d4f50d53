import Bandits
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingAgents
@testable import DecidingCore

/// Counts data points by their kind.
private struct TapState: DecidingState {
  static let system: SystemID = "taps"
  var counts: [String: Int] = [:]

  mutating func take(_ event: Event) {
    guard case .dataPoint(let point) = event.payload else { return }
    counts[point.kind, default: 0] += 1
  }
}

@Suite("Events of a shared log read by each system")
struct OriginTests {
  private func tap(_ recorder: Recorder<TapState>, _ kind: String) throws {
    try recorder.perform { turn throws(NotRecorded) in
      try turn.record([turn.event("u", .dataPoint(DataPoint(kind: kind)))])
    }
  }

  private func event(_ system: SystemID?, _ instance: InstanceID?, _ kind: String = "x") -> Event {
    Event(
      time: Timestamp(microseconds: 0), unit: "u", system: system, instance: instance,
      payload: .dataPoint(DataPoint(kind: kind)))
  }

  @Test("its own, and those of no system; names are told apart by their bytes")
  func rule() {
    let names: [InstanceID?] = [nil, "a", "caf\u{E9}", "cafe\u{301}"]
    for mine in names {
      let origin = Origin(.agents, instance: mine)
      for other in names {
        #expect(origin.reads(event(nil, other)))
        #expect(origin.reads(event(.agents, other)) == (mine == other))
        #expect(!origin.reads(event(.studies, other)) && !origin.reads(event("later", other)))
        var state = TapState()
        state.apply(event("taps", other), instance: mine)
        #expect(state.counts["x"] == (mine == other ? 1 : nil))
      }
    }
  }

  @Test("events say who wrote them, and a snapshot whose it is")
  func stamps() throws {
    let world = ManualWorld()
    let plain = Recorder<TapState>(world.surroundings, replaying: [Event]())
    let named = Recorder<TapState>(world.surroundings, instance: "n", replaying: [Event]())
    try tap(plain, "x")
    try tap(named, "y")
    #expect(world.events.map(\.system) == ["taps", "taps"])
    #expect(world.events.map(\.instance) == [nil, "n"])
    #expect(
      named.snapshot.text
        == #"{"instance":"n","position":2,"state":{"counts":{"y":1}},"system":"taps","version":1}"#)
    for (text, instance) in [
      (named.snapshot.text, nil), (plain.snapshot.text, "n"),
      (named.snapshot.text, "m"),
    ] as [(String, InstanceID?)] {
      #expect(throws: SnapshotProblem.self) {
        try Snapshot<TapState>(parsing: text, instance: instance)
      }
    }
  }

  @Test(
    "a snapshot's position is the log's, whoever else writes", arguments: 0..<100 as Range<UInt64>)
  func positions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = ManualWorld()
    let names: [InstanceID?] = [nil, "a", "b"]
    let recorders = names.map {
      Recorder<TapState>(world.surroundings, instance: $0, replaying: [Event]())
    }
    var snapshots = recorders.map { $0.snapshot.text }
    for _ in 0..<random.index(40) {
      let index = random.index(3)
      try tap(recorders[index], random.pick(["x", "y"], or: "x"))
      #expect(recorders[index].snapshot.position == UInt64(world.events.count))
      if random.chance(0.2) { snapshots[index] = recorders[index].snapshot.text }
    }
    let events = world.events
    let logged = events.enumerated().map { LoggedEvent(position: UInt64($0), event: $1) }
    for (index, name) in names.enumerated() {
      let snapshot = try Snapshot<TapState>(parsing: snapshots[index], instance: name)
      let rest = events.dropFirst(Int(snapshot.position))
      let own = logged.filter { $0.event.instance == name }
      let again = [
        Recorder(world.surroundings, snapshot: snapshot, replaying: rest),
        Recorder(world.surroundings, snapshot: snapshot, replaying: logged),
        Recorder(world.surroundings, snapshot: snapshot, replaying: own),
        Recorder<TapState>(world.surroundings, instance: name, replaying: logged),
      ]
      for recorder in again {
        #expect(recorder.read { $0 } == recorders[index].read { $0 }, "seed \(seed)")
      }
      #expect(again[0].snapshot.position == UInt64(events.count), "seed \(seed)")
    }
  }

  @Test("fronts that write at the same time each know their own events and no others")
  func threads() throws {
    let world = ManualWorld()
    let names: [InstanceID?] = [nil, "a", "b"]
    let recorders = names.map {
      Recorder<TapState>(world.surroundings, instance: $0, replaying: [Event]())
    }
    let seen = Monitor<[[String]]>(names.map { _ in [] })
    onThreads(3) { number in
      for step in 0..<200 {
        try? tap(recorders[number], "x")
        if step % 20 == 0 {
          let text = recorders[number].snapshot.text
          seen.withLock { $0[number].append(text) }
        }
      }
    }
    let logged = world.events.enumerated().map { LoggedEvent(position: UInt64($0), event: $1) }
    for (index, texts) in seen.withLock({ $0 }).enumerated() {
      for text in texts {
        let snapshot = try Snapshot<TapState>(parsing: text, instance: names[index])
        let again = Recorder(world.surroundings, snapshot: snapshot, replaying: logged)
        #expect(again.read { $0.counts } == ["x": 200])
      }
    }
  }

  @Test("a sink that begins anew is counted on, and one that goes on is believed")
  func sinks() throws {
    let old = (0..<10).map { _ in event("taps", nil) }
    for (first, position) in [(0, 11), (10, 11), (20, 21)] as [(UInt64, UInt64)] {
      let sink = MemorySink(startingAt: first)
      let recorder = Recorder<TapState>(Surroundings(sink: sink), replaying: old)
      #expect(recorder.snapshot.position == 10)
      try tap(recorder, "x")
      #expect(recorder.snapshot.position == position)
    }
  }
}

@Suite("Agents: goals that name a point and a slot")
struct PlacedGoalTests {
  private func decision(_ point: PointID?, _ slot: SlotID) -> Payload {
    .decision(
      Decision(experiment: "x", point: point, slot: slot, variant: "a", reason: "random"))
  }

  /// What each of the slots `s` and `t` of the points `point-1` and `p` has earned.
  private func earned(_ point: PointID?, _ slot: SlotID?, credit: AgentDefinition.Credit = .all)
    -> [Double]
  {
    var definition = AgentDefinition("x")
    definition.credit = credit
    let configuration = AgentConfiguration(definition: definition, activity: AgentActivity())
    let payloads: [Payload] = [
      .configurationApplied(
        ConfigurationApplied(
          system: .agents, experiment: "x", configuration: configuration.json.jsonText)),
      decision(nil, "s"), decision(nil, "t"), decision("p", "s"), decision("p", "t"),
      .goal(Goal(experiment: "x", point: point, slot: slot, goal: "g", value: 2)),
    ]
    let state = AgentsState(
      replaying: payloads.enumerated().map { index, payload in
        Event(
          time: Timestamp(microseconds: Int64(index)), unit: index == 0 ? "" : "u",
          payload: payload)
      })
    return [PointID.standard, "p"].flatMap { point in
      ["s", "t"].map { slot in
        state.agents["x"]?.known.points[point]?.memory(of: slot)?.tallies[""]?["a"]?.sum ?? -1
      }
    }
  }

  @Test("are credited there and nowhere else")
  func all() {
    #expect(earned(nil, nil) == [2, 2, 2, 2])
    #expect(earned("p", nil) == [0, 0, 2, 2])
    #expect(earned("point-1", nil) == [2, 2, 0, 0])
    #expect(earned(nil, "s") == [2, 0, 2, 0])
    #expect(earned("p", "t") == [0, 0, 0, 2])
    #expect(earned("q", nil) == [0, 0, 0, 0] && earned(nil, "v") == [0, 0, 0, 0])
  }

  @Test("are credited to the last decision of these, where the last one earns everything")
  func last() {
    #expect(earned(nil, nil, credit: .last) == [0, 0, 0, 2])
    #expect(earned("p", nil, credit: .last) == [0, 0, 0, 2])
    #expect(earned("point-1", nil, credit: .last) == [0, 2, 0, 0])
    #expect(earned(nil, "s", credit: .last) == [0, 0, 2, 0])
    #expect(earned("point-1", "s", credit: .last) == [2, 0, 0, 0])
    #expect(earned("q", nil, credit: .last) == [0, 0, 0, 0])
  }

  @Test("count for the limit of a goal only where they are credited")
  func limits() {
    let events = [decision(nil, "s"), .goal(Goal(experiment: "x", slot: "t", goal: "g"))].map {
      Event(time: Timestamp(microseconds: 0), unit: "u", payload: $0)
    }
    let session = AgentsState(replaying: events).agents["x"]?.sessions["u"]
    #expect(session?.goals.isEmpty == true)
  }
}
