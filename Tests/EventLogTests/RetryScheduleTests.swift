import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

private let isLong = LongTests.areWanted

/// A producer that appends its batches in order to a log on a failing disk, and after every failure goes on
/// with the first batch that was not acknowledged.
private struct RetryingProducer {
  enum Way: CaseIterable { case ids, sequences }

  static let path = "/log"
  let way: Way
  let batches: [[Event]]
  let producer = ProducerID(name: "producer")
  private(set) var disk: SimulatedDisk
  private(set) var acknowledged = 0
  private let options: LogOptions

  init(_ way: Way, seed: UInt64, random: inout SeededGenerator) {
    self.way = way
    disk = SimulatedDisk(seed: seed)
    var generator = EventGenerator(seed: seed)
    var number = 0
    batches = (0..<12).map { _ in
      generator.events(1 + random.index(5)).map { event in
        var event = event
        number += 1
        // By sequences, events need no ids.
        event.id = way == .ids ? EventID("e\(number)") : nil
        return event
      }
    }
    var options = LogOptions(segmentByteCount: UInt64(1_500 + random.index(10_000)), seed: seed)
    options.frameRowCount = 1 + random.index(4)
    self.options = options
  }

  /// Opens the log and appends from the first batch on that was not acknowledged, up to a failure; commits now
  /// and then.
  mutating func work(_ random: inout SeededGenerator) throws {
    let writer = try LogWriter(Self.path, options: options, disk: disk)
    if way == .sequences {
      let last = Int(writer.lastSequence(of: producer))
      #expect(last >= acknowledged)
    }
    var sent = acknowledged
    do {
      while sent < batches.count {
        try send(sent, to: writer)
        sent += 1
        guard random.chance(0.4) || sent == batches.count else { continue }
        try writer.commit()
        acknowledged = sent
      }
    } catch let error as LogError {
      try checkFailed(writer)
      throw error
    }
  }

  private func send(_ index: Int, to writer: LogWriter) throws {
    switch way {
    case .sequences:
      try writer.append(batches[index], producer: producer, sequence: UInt64(index) + 1)
    case .ids:
      for event in batches[index] { try writer.appendOnce(.of(event)) }
    }
  }

  /// A failed writer remembers only what it did not cut off.
  private func checkFailed(_ writer: LogWriter) throws {
    guard way == .sequences, !disk.isWithoutPower else { return }
    let known = Int(writer.lastSequence(of: producer))
    #expect(writer.durablePosition == UInt64(batches.prefix(known).joined().count))
    #expect(known >= acknowledged)
  }

  mutating func crash(_ random: inout SeededGenerator) { disk = disk.crash(using: &random) }

  func restart() {
    disk.inject([])
    disk.cutPower(at: nil)
    disk.setCapacity(.max)
  }
}

@Suite("A producer that resends what was not acknowledged")
struct RetryScheduleTests {
  @Test(
    "has each event once, in order, whatever the disk did",
    arguments: RetryingProducer.Way.allCases, 0..<UInt64(isLong ? 5_000 : 60))
  private func randomSchedule(way: RetryingProducer.Way, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var producer = RetryingProducer(way, seed: seed, random: &random)
    for _ in 0..<6 {
      switch random.index(3) {
      case 0: producer.disk.cutPower(at: 1 + random.index(30))
      case 1:
        let call = random.pick(SimulatedDisk.Fault.Call.allCases, or: .write)
        producer.disk.inject([SimulatedDisk.Fault(call: call, number: 1 + random.index(10))])
      default: producer.disk.setCapacity(producer.disk.used + random.index(6_000))
      }
      do {
        try producer.work(&random)
      } catch is LogError {}
      if random.chance(0.6) { producer.crash(&random) } else { producer.restart() }
    }
    producer.restart()
    try producer.work(&random)
    let read = try LogReader(RetryingProducer.path, disk: producer.disk).allEvents()
    #expect(read == Array(producer.batches.joined()), "seed \(seed)")
  }
}
