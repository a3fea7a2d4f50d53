import Events

@testable import EventLog

/// Where the corpora begin: what the writer really writes, and a few lines.
extension FuzzTarget {
  /// Small inputs of the target, none of which is wrong, by name.
  func seeds() throws -> [(name: String, bytes: [UInt8])] {
    let (disk, events) = try EveryEncodingLog.make()
    let segments = EveryEncodingLog.segments(of: disk).compactMap { disk.files[$0] }
    switch self {
    case .segment: return segments.prefix(1).map { ("header", Array($0.prefix(64))) }
    case .frame: return Self.wholeLogs(segments, events)
    case .integers: return Self.streams(segments) { $0.rawValue < 16 }
    case .numbers: return Self.streams(segments) { 16..<32 ~= $0.rawValue }
    case .texts: return Self.streams(segments) { $0.rawValue >= 32 }
    case .bitmap: return [("bits", [70, 0, 0, 0] + Array(repeating: 5, count: 8) + Self.zeros(8))]
    case .attributes: return Self.attributeSeeds(events)
    case .deflate: return Self.deflated(segments)
    case .jsonlines: return Self.lines(events)
    }
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  /// The first segment, which needs no other; and each kind of event in a log of its own.
  private static func wholeLogs(
    _ segments: [[UInt8]], _ events: [Event]
  ) -> [(name: String, bytes: [UInt8])] {
    var seeds = segments.prefix(1).map { (name: "every-encoding", bytes: $0) }
    for (index, event) in events.suffix(4).enumerated() {
      let disk = MemoryDisk()
      do {
        let writer = try LogWriter("log", options: LogOptions(seed: 1), disk: disk)
        try writer.append([event, event])
        try writer.commit()
      } catch {
        continue
      }
      let file = EveryEncodingLog.segments(of: disk).first.flatMap { disk.files[$0] }
      if let file { seeds.append((name: "kind-\(index)", bytes: file)) }
    }
    return seeds
  }

  /// One stream of each encoding, as it stands in a frame.
  private static func streams(
    _ segments: [[UInt8]], where isWanted: (ColumnEncoding) -> Bool
  ) -> [(name: String, bytes: [UInt8])] {
    var seeds: [String: [UInt8]] = [:]
    for chunk in segments.flatMap({ ForgedSegment($0).frames }).flatMap(\.chunks) {
      guard let encoding = ColumnEncoding(rawValue: chunk.entry[40]), isWanted(encoding) else {
        continue
      }
      // Behind the bitmap of the gaps, if there is one.
      let raw = chunk.raw
      let start = chunk.entry[3] & 1 == 1 ? 8 : 0
      guard raw.count > start, raw[start] == encoding.rawValue else { continue }
      seeds[encoding.name] = seeds[encoding.name] ?? Array(raw[start...])
    }
    return seeds.sorted { $0.key < $1.key }.map { (name: $0.key, bytes: $0.value) }
  }

  private static func attributeSeeds(_ events: [Event]) -> [(name: String, bytes: [UInt8])] {
    var seeds: [(name: String, bytes: [UInt8])] = [
      ("shape", [3, 4, 9, 14]), ("features-shape", [2, 1, 1, 4, 2, 2, 5, 6]),
    ]
    var record = EventRecord()
    guard let event = events.first, (try? record.load(event)) != nil else { return seeds }
    var literal: [UInt8] = []
    AttributeLiteral.write(record.context[...], of: record, to: &literal)
    seeds.append(("literal", literal))
    literal = []
    AttributeLiteral.writeFeatures(of: record, to: &literal)
    seeds.append(("features-literal", literal))
    return seeds
  }

  private static func deflated(_ segments: [[UInt8]]) -> [(name: String, bytes: [UInt8])] {
    let chunks = segments.flatMap { ForgedSegment($0).frames }.flatMap(\.chunks)
    return chunks.filter { $0.entry[2] == 1 }.prefix(4).enumerated().map { index, chunk in
      (name: "chunk-\(index)", bytes: Array(chunk.entry[16..<20]) + chunk.stored)
    }
  }

  private static func lines(_ events: [Event]) -> [(name: String, bytes: [UInt8])] {
    var seeds: [(name: String, bytes: [UInt8])] = []
    for (index, event) in (events.prefix(2) + events.suffix(3)).enumerated() {
      var record = EventRecord()
      guard (try? record.load(event)) != nil else { continue }
      seeds.append((name: "\(event.kind.name)-\(index)", bytes: line(record)))
    }
    let others = [
      #"{"time":1767323045,"unit":7,"u":"\u00e4\ud83d\ude00","type":"conversion","goal":"g"}"#,
      #"{"type":"goal","time":"2026-01-02T03:04:05.123456+02:00","unit":"a","experiment":"e","#
        + #""goal":"g","value":-1.5e-3,"metadata":{"n":9007199254740993,"t":true}}"#,
    ]
    return seeds + others.enumerated().map { ("line-\($0)", Array($1.utf8)) }
  }
}
