import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Limits of rewritten frames")
struct RewriteBoundsTests {
  private func conversion(_ unit: String, _ attributes: Attributes? = nil) -> Event {
    Event(
      time: Timestamp(microseconds: 1), unit: UnitID(unit), id: nil,
      payload: .conversion(Conversion(goal: "g", revenue: nil, metadata: attributes)))
  }

  @Test("a frame has no more bytes of names than a writer would put into it")
  func names() throws {
    let long = String(repeating: "n", count: 1_100)
    let batches = (0..<5).map { batch in (0..<4).map { conversion("\(batch)-\($0)-\(long)") } }
    let log = try SmallLog(batches)
    let disk = try log.disk
    var rewriter = try LogRewriter(SmallLog.path, disk: disk)
    rewriter.frameByteCount = 16 << 10
    _ = try rewriter.compact()
    let reader = try LogReader(SmallLog.path, disk: disk)
    #expect(reader.frames.map(\.rows) == [16, 4, 0])
    #expect(try reader.allEvents() == log.events)
  }

  @Test("a frame has no more columns than its header can count")
  func columns() throws {
    let events = (0..<16).map { event in
      var attributes = Attributes()
      for number in 0..<500 { attributes["a\(event)-\(number)"] = .number(0.5) }
      return conversion("u", attributes)
    }
    let log = try SmallLog([events]).reader()
    let frame = try #require(log.frames.first)
    var merged = MergedFrame()
    let names = try LogNames(log, [.shapes, .lists, .attributes])
    try merged.append(.init(positions: 0..<16, frame: frame), of: log, shapes: names)
    #expect(merged.columns.attributes.count == 8_000)

    // Each of the 8,000 attributes may take two columns.
    for (count, isFull) in [(49_000, false), (50_000, true), (60_000, true)] {
      var next = frame
      next.entries = Array(repeating: frame.entries[0], count: count)
      let piece = SegmentSource.Piece(positions: 16..<17, frame: next)
      #expect(merged.isFull(for: piece, rowCount: 65_536, byteCount: 16 << 20) == isFull)
    }
  }

  /// A log of one frame, changed.
  private func edited(
    _ event: Event, _ edit: (inout FrameEditor) throws -> Void
  ) throws -> SmallLog {
    var log = try SmallLog([[event]], isClosed: false)
    let reader = try log.reader()
    let frame = try #require(reader.frames.first)
    var editor = try FrameEditor(frame, of: reader)
    try edit(&editor)
    log.files[log.last] = Array(try #require(log.files[log.last]).prefix(64)) + editor.bytes
    return log
  }

  private func makeMany(_ column: ColumnID, in editor: inout FrameEditor) {
    // Half a GiB when it is believed.
    let count = 1 << 26
    editor.change(column) { entry, raw in
      raw = []
      StreamHeader(encoding: .constantNumber, count: count).write(to: &raw)
      entry.values = UInt32(count)
    }
  }

  @Test("more values than rows can have are damage, and are not read")
  func values() throws {
    let decision = Event(
      time: Timestamp(microseconds: 1), unit: "u", id: nil,
      payload: .decision(
        Decision(
          experiment: "e", variant: "a", choices: ["a", "b"], probabilities: [0.25, 0.75])))
    let probabilities = try edited(decision) { makeMany(.probabilities, in: &$0) }
    let attributes = try edited(conversion("u", ["a": 0.5])) {
      makeMany(.attribute(.metadata, .number), in: &$0)
    }
    for log in [probabilities, attributes] {
      let reader = try log.reader()
      #expect(throws: LogError.self) { try reader.allEvents() }
      #expect(throws: LogError.self) { try Erasure(units: ["x"]).preview(reader) }
    }
  }
}
