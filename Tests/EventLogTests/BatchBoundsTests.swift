import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Bounds of a producer's batch")
struct BatchBoundsTests {
  @Test("a batch of more attributes than a frame may have is refused, and the writer goes on")
  func attributes() throws {
    var attributes = Attributes()
    for number in 0..<1_000 { attributes["\(number)"] = .flag(true) }
    let event = Event(
      time: Timestamp(microseconds: 1), unit: "u", id: nil,
      payload: .conversion(Conversion(goal: "g", revenue: nil, metadata: attributes)))
    // Copies share their memory.
    let records = Array(repeating: try EventRecord.of(event), count: 4_300)
    let disk = SimulatedDisk(seed: 1)
    let writer = try LogWriter("/log", options: LogOptions(), disk: disk)
    let producer = try #require(ProducerID(rawValue: 5))
    let append = { (records: [EventRecord]) throws(LogError) in
      try writer.commits.perform { state throws(LogError) in
        try state.append(records, producer: producer, sequence: 1)
      }
    }
    let error = #expect(throws: LogError.self) { try append(records) }
    #expect(error?.code == .badBatch)
    #expect(try append(Array(records.prefix(3))) == .new(position: 0))
    try writer.commit()
    #expect(try LogReader("/log", disk: disk).allEvents() == [event, event, event])
  }
}
