import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Columns of systems and instances")
struct SystemColumnTests {
  private func event(
    _ payload: Payload, _ system: SystemID? = nil, _ instance: InstanceID? = nil,
    unknown: String = ""
  ) -> Event {
    Event(
      time: Timestamp(microseconds: 0), unit: "u", system: system, instance: instance,
      payload: payload, unknownFields: JSONMembers(validated: unknown))
  }

  private func columns(_ events: [Event]) throws -> (Set<String>, [Event]) {
    let disk = MemoryDisk()
    let writer = try LogWriter("log", options: LogOptions(seed: 1), disk: disk)
    try writer.append(events)
    try writer.commit()
    let log = try LogReader("log", disk: disk)
    return (Set(log.columnUsage().map(\.column)), try log.allEvents())
  }

  @Test("are written only for events that have one")
  func absent() throws {
    let goal = Payload.goal(Goal(experiment: "e", goal: "g"))
    let (plain, _) = try columns([event(goal), event(goal)])
    #expect(plain.isDisjoint(with: ["system", "instance", "systems-names", "point", "slot"]))
    let (named, read) = try columns([event(goal), event(goal, .agents, "shop"), event(goal)])
    #expect(named.isSuperset(of: ["system", "instance", "systems-names"]))
    #expect(read.map(\.system) == [nil, .agents, nil])
    #expect(read.map(\.instance) == [nil, "shop", nil])
  }

  @Test("a log of an older version may have them among its preserved fields")
  func older() throws {
    let goal = Payload.goal(Goal(experiment: "e", goal: "g"))
    let events = [event(goal, unknown: #""system":"linux","point":{}"#)]
    let (_, read) = try columns(events)
    #expect(read == events && read[0].system == nil)
    let line = try read[0].jsonLine
    #expect(line.hasSuffix(#""goal":"g","system":"linux","point":{}}"#))
    #expect(try Event(jsonLine: line).jsonLine.contains(#""system":"linux""#))
  }

  @Test("batches have the points and slots of goals that name them")
  func goals() throws {
    let disk = MemoryDisk()
    let writer = try LogWriter("log", options: LogOptions(seed: 1), disk: disk)
    try writer.append([
      event(.decision(Decision(experiment: "e", point: "p", slot: "s", variant: "a"))),
      event(.goal(Goal(experiment: "e", goal: "g"))),
      event(.goal(Goal(experiment: "e", point: "p", goal: "g"))),
      event(.goal(Goal(experiment: "e", point: "p", slot: "s", goal: "g"))),
    ])
    try writer.commit()
    try LogReader("log", disk: disk).forEachBatch([.point, .slot]) { batch in
      #expect(batch.points == [1, 0, 1, 1] && batch.slots == [1, 0, 0, 1])
    }
  }
}
