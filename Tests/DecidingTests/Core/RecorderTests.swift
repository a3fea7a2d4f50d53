import Events
import TestSupport
import Testing

@testable import DecidingCore

/// Counts the data points of each unit: the smallest state that there can be.
private struct CountingState: DecidingState {
  static let system: SystemID = "counting"
  var counts: [UnitID: Int] = [:]

  mutating func take(_ event: Event) {
    guard case .dataPoint = event.payload else { return }
    counts[event.unit, default: 0] += 1
  }
}

@Suite("Recorder")
struct RecorderTests {
  private func tap(_ recorder: Recorder<CountingState>, _ unit: UnitID, times: Int = 1) throws {
    try recorder.perform { turn throws(NotRecorded) in
      let payload = Payload.dataPoint(DataPoint(kind: "tap"))
      let events = (0..<times).map { _ in turn.event(unit, payload) }
      try turn.record(events)
    }
  }

  @Test("events are stamped with the time of the call and a fresh id each, in one batch")
  func stamps() throws {
    let world = ManualWorld()
    let recorder = Recorder<CountingState>(world.surroundings, replaying: [Event]())
    world.time.advance(seconds: 2)
    try tap(recorder, "u", times: 2)
    #expect(world.events.map(\.time.microseconds) == [2_000_000, 2_000_000])
    #expect(world.events.map(\.id) == ["id-1", "id-2"])
    #expect(recorder.read { $0.counts } == ["u": 2])
    #expect(recorder.snapshot.position == 2)
  }

  @Test("when the sink refuses nothing changes")
  func refusal() throws {
    let world = ManualWorld()
    let recorder = Recorder<CountingState>(world.surroundings, replaying: [Event]())
    try tap(recorder, "u")
    world.sink.refuse(true)
    #expect(throws: NotRecorded.self) { try tap(recorder, "u") }
    #expect(recorder.read { $0.counts } == ["u": 1])
    #expect(recorder.snapshot.position == 1)
    world.sink.refuse(false)
    try tap(recorder, "u")
    #expect(recorder.read { $0.counts } == ["u": 2])
    #expect(world.events.count == 2)
  }

  @Test("a snapshot and the events after it are the whole log")
  func snapshots() throws {
    let world = ManualWorld()
    let recorder = Recorder<CountingState>(world.surroundings, replaying: [Event]())
    try tap(recorder, "u", times: 3)
    let text = recorder.snapshot.text
    #expect(
      text == #"{"position":3,"state":{"counts":{"u":3}},"system":"counting","version":1}"#)
    try tap(recorder, "v")
    let snapshot = try Snapshot<CountingState>(parsing: text)
    let restored = Recorder(
      world.surroundings, snapshot: snapshot, replaying: world.events.dropFirst(3))
    #expect(restored.read { $0 } == recorder.read { $0 })
    #expect(restored.snapshot.position == 4)
  }

  @Test(
    "a snapshot that does not fit is refused with a reason",
    arguments: [
      ("", "it is no JSON"), ("[]", "it names no system"),
      (#"{"position":0,"state":{"counts":{}},"system":"x","version":1}"#, "it is of x"),
      (#"{"position":0,"state":{"counts":{}},"system":"counting","version":2}"#, "of version 2"),
      (#"{"position":-1,"state":{"counts":{}},"system":"counting","version":1}"#, "no position"),
      (#"{"position":0,"system":"counting","version":1}"#, "no state"),
      (
        #"{"position":0,"state":{"counts":{"u":"x"}},"system":"counting","version":1}"#,
        "state: counts.u must be a whole number"
      ),
    ])
  func unfit(text: String, reason: String) {
    do throws(SnapshotProblem) {
      _ = try Snapshot<CountingState>(parsing: text)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.reason.contains(reason), "\(error.reason)")
      #expect(error.reason.hasSuffix("replay the log instead"))
    }
  }

  @Test("with many threads the order in the log is the order of the changes")
  func threads() throws {
    let world = ManualWorld()
    let recorder = Recorder<CountingState>(world.surroundings, replaying: [Event]())
    onThreads(4) { number in
      for _ in 0..<200 { try? tap(recorder, UnitID("u\(number % 3)")) }
    }
    #expect(recorder.read { $0 } == CountingState(replaying: world.events))
    #expect(world.events.count == 800)
    #expect(Set(world.events.compactMap(\.id)).count == 800)
  }
}
