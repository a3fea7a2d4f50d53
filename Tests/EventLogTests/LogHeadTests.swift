import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("HEAD")
struct LogHeadTests {
  private let batches: [[Event]]

  init() {
    var generator = EventGenerator(seed: 24)
    batches = (0..<3).map { _ in generator.events(4) }
  }

  private func log(isClosed: Bool = true) throws -> SmallLog {
    try SmallLog(batches, isClosed: isClosed)
  }

  private func copies(_ log: SmallLog) -> [LogHead?] {
    LogHead.names.map { log.files[$0].flatMap { LogHead($0) } }
  }

  @Test("is written in turn after each commit, and the same for the same events")
  func written() throws {
    let log = try log()
    let heads = copies(log).compactMap { $0 }
    #expect(heads.map(\.durable) == [12, 8])
    #expect(heads.map(\.sequence) == [3, 2])
    #expect(heads.allSatisfy { $0.log == (try? log.reader().id) })
    let again = try self.log()
    #expect(LogHead.names.allSatisfy { again.files[$0] == log.files[$0] })
  }

  @Test("with any bit changed, or cut short, is not taken for one")
  func everyBit() throws {
    let bytes = LogHead(log: LogID(bytes: Array(0..<16)), durable: 7, sequence: 3).bytes
    #expect(bytes.count == LogHead.byteCount)
    #expect(LogHead(bytes)?.durable == 7)
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(LogHead(changed) == nil, "bit \(bit)")
    }
    for size in 0..<bytes.count { #expect(LogHead(Array(bytes.prefix(size))) == nil) }
  }

  @Test(
    "the log is readable if one or both copies are bad, stale, short, missing, or of another log"
  )
  func ignored() throws {
    let whole = try log()
    let stranger = LogHead(
      log: LogID(bytes: [UInt8](repeating: 7, count: 16)), durable: 99, sequence: 9)
    let stale = LogHead(log: try #require(try whole.reader().id), durable: 4, sequence: 1)
    let contents: [[UInt8]?] = [
      nil, [], [1, 2, 3], [UInt8](repeating: 0, count: 64), stranger.bytes, stale.bytes,
      whole.files["HEAD.0"]?.map { $0 ^ 1 }, whole.files["HEAD.0"],
    ]
    for (first, a) in contents.enumerated() {
      for (second, b) in contents.enumerated() {
        var log = whole
        log.files["HEAD.0"] = a
        log.files["HEAD.1"] = b
        // Unless a copy of another log is all there is: then the segment may be the wrong one.
        let ids = [a, b].compactMap { $0.flatMap { LogHead($0)?.log } }
        if !ids.isEmpty, ids.allSatisfy({ $0 == stranger.log }) {
          #expect(try log.damage()?.contains("move those files away") == true)
          continue
        }
        #expect(try log.damage() == nil, "\(first), \(second)")
        #expect(try log.reader().eventCount == 12)
        let disk = try log.disk
        do {
          let writer = try LogWriter(SmallLog.path, options: LogOptions(), disk: disk)
          #expect(writer.recovered == nil && writer.nextPosition == 12, "\(first), \(second)")
        }
        log.files = SmallLog.files(on: disk)
        #expect(copies(log).compactMap { $0 }.contains { $0.durable == 12 && $0.log == stale.log })
      }
    }
  }

  @Test("opening a log that nothing happened to changes no file")
  func unchanged() throws {
    let log = try log()
    let disk = try log.disk
    _ = try LogReader(SmallLog.path, disk: disk)
    _ = try LogWriter(SmallLog.path, options: LogOptions(), disk: disk)
    var files = SmallLog.files(on: disk)
    files["LOCK"] = nil
    #expect(files == log.files)
  }

  @Test("ahead of the data says which events are missing; nothing is appended behind them")
  func ahead() throws {
    var log = try log()
    let id = try #require(try log.reader().id)
    log.files["HEAD.1"] = LogHead(log: id, durable: 20, sequence: 8).bytes
    for open in [{ _ = try log.reader() }, { _ = try log.writer() }] {
      let error = #expect(throws: LogError.self) { try open() }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("events 12 to 19 were durable and are missing") == true)
      #expect(error?.message.contains("bandolier log repair") == true)
    }
    let reader = try log.reader(.skip)
    #expect(reader.losses.map(\.positions) == [12..<20])
    #expect(reader.eventCount == 20)
    #expect(try reader.allEvents() == log.events)
  }

  @Test("without any segment says that all events are missing, and no new log is begun")
  func noSegment() throws {
    var log = try log()
    log.files[log.last] = nil
    for open in [{ _ = try log.reader() }, { _ = try log.writer() }] {
      let error = #expect(throws: LogError.self) { try open() }
      #expect(error?.message.contains("events 0 to 11 were durable") == true)
    }
    #expect(try log.reader(.skip).losses.map(\.positions) == [0..<12])
    for name in LogHead.names { log.files[name] = [UInt8](repeating: 0, count: 64) }
    log.files["LOCK"] = []
    #expect(try log.reader().eventCount == 0, "a folder of LOCK and HEAD is an empty log")
    #expect(try log.writer().nextPosition == 0)
  }

  @Test("finds a last segment cut at any length, at the ends of frames too")
  func truncated() throws {
    let log = try log()
    let whole = try #require(log.files[log.last])
    for size in 0..<whole.count {
      var cut = log
      cut.files[log.last] = Array(whole.prefix(size))
      let isSeal = size >= Int(try log.reader().frames[2].endOffset)
      guard !isSeal else {
        // Behind the last event nothing is lost.
        #expect(try cut.reader().allEvents() == log.events, "cut at \(size)")
        continue
      }
      #expect(
        #expect(throws: LogError.self) { try cut.reader() }?.code == .damaged, "cut at \(size)")
      #expect(
        #expect(throws: LogError.self) { try cut.writer() }?.code == .damaged, "cut at \(size)")
    }
  }

  @Test("tells damage to the last commit of a killed writer from a crash, at every byte")
  func killedThenDamaged() throws {
    let log = try log(isClosed: false)
    let frame = try #require(try log.reader().frames.last)
    #expect(frame.basePosition == 8)
    for offset in Int(frame.offset)..<Int(frame.endOffset) {
      var changed = log
      changed.files[log.last]?[offset] ^= 1 << UInt8(offset % 8)
      #expect(try changed.damage() != nil, "byte \(offset)")
      #expect(
        #expect(throws: LogError.self) { try changed.writer() }?.code == .damaged, "byte \(offset)")
    }
    // Without the proof the same may be a crash: the writer sets the frame aside.
    var changed = log
    changed.removeHead()
    changed.files[log.last]?[Int(frame.offset) + 3] ^= 1
    #expect(try changed.writer().recovered?.offset == frame.offset)
  }

  @Test("that cannot be written fails no commit, and is never ahead", arguments: 1...4)
  func cannotBeWritten(number: Int) throws {
    for call in [SimulatedDisk.Fault.Call.write, .create] {
      let disk = SimulatedDisk(seed: UInt64(number))
      let writer = try LogWriter(SmallLog.path, options: LogOptions(seed: 1), disk: disk)
      // Each commit writes a frame, then HEAD.
      disk.inject([SimulatedDisk.Fault(call: call, number: call == .write ? 2 * number : number)])
      for (index, batch) in batches.enumerated() {
        try writer.append(batch)
        #expect(try writer.commit() == UInt64(4 * index + 4))
        let files = SmallLog.files(on: disk)
        let heads = LogHead.names.compactMap { files[$0].flatMap { LogHead($0) } }
        #expect(heads.allSatisfy { $0.durable <= UInt64(4 * index + 4) })
        #expect(index == 0 || !heads.isEmpty, "at most one copy is in doubt")
        #expect(try LogReader(SmallLog.path, disk: disk).eventCount == UInt64(4 * index + 4))
      }
    }
  }
}
