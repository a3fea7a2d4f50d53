import EventLog
import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("Duplicate filter")
struct DuplicateFilterTests {
  private func record(_ content: Int, id: String? = nil) throws -> EventRecord {
    var record = EventRecord()
    try record.load(
      Event(
        time: Timestamp(microseconds: Int64(content)), unit: "u", id: id.map { EventID($0) },
        payload: .goal(Goal(experiment: "e", goal: "g"))))
    return record
  }

  private func filter(_ directory: TemporaryFolder, capacity: Int = 4) -> DuplicateFilter {
    DuplicateFilter(
      key: FingerprintKey(first: 3, second: 4), directory: directory.path, memoryCapacity: capacity)
  }

  @Test("two equal events of one input are two, and the input again adds none")
  func equalEvents() throws {
    let filter = filter(try TemporaryFolder())
    let a = try record(1)
    try filter.beginInput()
    #expect(try !filter.isAlreadyThere(a))
    #expect(try !filter.isAlreadyThere(a))
    try filter.beginInput()
    #expect(try filter.isAlreadyThere(a))
    #expect(try filter.isAlreadyThere(a))
    #expect(try !filter.isAlreadyThere(a))
    try filter.beginInput()
    for _ in 0..<3 { #expect(try filter.isAlreadyThere(a)) }
  }

  @Test("an id counts once for each content, in one input or in several")
  func ids() throws {
    let filter = filter(try TemporaryFolder())
    try filter.addKnown(record(1, id: "known"))
    try filter.beginInput()
    #expect(try filter.isAlreadyThere(record(1, id: "known")))
    #expect(try !filter.isAlreadyThere(record(2, id: "known")))
    #expect(try !filter.isAlreadyThere(record(3, id: "new")))
    #expect(try filter.isAlreadyThere(record(3, id: "new")))
    #expect(try !filter.isAlreadyThere(record(4, id: "new")))
    try filter.beginInput()
    for content in 3...4 { #expect(try filter.isAlreadyThere(record(content, id: "new"))) }
  }

  @Test("agrees with counting in dictionaries, also when most of it is on disk")
  func likeCounting() throws {
    for seed in UInt64(0)..<6 {
      var random = SeededGenerator(seed: seed)
      let directory = try TemporaryFolder()
      let filter = filter(directory, capacity: seed % 2 == 0 ? 5 : 1_000)
      var log: [Int: Int] = [:]
      var ids: Set<Int> = []
      for _ in 0..<200 {
        let content = Int.random(in: 0..<60, using: &random)
        try filter.addKnown(record(content))
        log[content, default: 0] += 1
      }
      for _ in 0..<5 {
        try filter.beginInput()
        var seen: [Int: Int] = [:]
        let before = log
        for _ in 0..<300 {
          let content = Int.random(in: 0..<80, using: &random)
          if Int.random(in: 0..<4, using: &random) == 0 {
            let isThere = try filter.isAlreadyThere(record(content, id: "\(content)"))
            #expect(isThere == !ids.insert(content).inserted, "seed \(seed)")
            continue
          }
          seen[content, default: 0] += 1
          let isThere = try filter.isAlreadyThere(record(content))
          #expect(
            isThere == (seen[content, default: 0] <= before[content, default: 0]), "seed \(seed)")
          if !isThere { log[content, default: 0] += 1 }
        }
      }
      #expect(directory.files.isEmpty)
    }
  }

  @Test("a missing temporary directory is an error once memory is full")
  func noDirectory() throws {
    let filter = DuplicateFilter(directory: "/nonexistent/folder", memoryCapacity: 1)
    #expect(try !filter.isAlreadyThere(record(1)))
    let error = #expect(throws: ImportError.self) { try filter.isAlreadyThere(record(2)) }
    #expect(error?.code == .cannotWrite)
    #expect(error?.description.contains("/nonexistent/folder") == true)
  }
}
