extension DayCalendar {
  /// Reads the data of a zone as the time zone database has them: TZif of version 2 or later (RFC 9636), with the rule
  /// for the years after the last change.
  ///
  /// - Parameters:
  ///   - zone: The name of the zone.
  ///   - bytes: The contents of its file.
  ///
  /// The result is nil if the bytes are anything else, or count leap seconds.
  public init?(zone: String, data bytes: [UInt8]) {
    var reader = ZoneDataReader(bytes)
    guard let first = reader.header(), first.version >= UInt8(ascii: "2"),
      reader.skip(first.byteCount(ofTime: 4)), let header = reader.header(), header.leapSeconds == 0,
      var changes = reader.changes(header), let rule = reader.rule()
    else { return nil }
    let last = changes.last?.time ?? 0
    let from = Timestamp(microseconds: max(0, last)).year
    for year in from...max(from, Self.horizonYear) {
      changes += rule.changes(in: year).filter { $0.time > last }
    }
    self.init(zone: zone, changes: Self.settled(changes))
  }

  /// Returns changes, in order and the first of them at any time, without those that change nothing.
  private static func settled(_ changes: [Change]) -> [Change] {
    var settled: [Change] = []
    for change in changes {
      if settled.last?.time == change.time { settled.removeLast() }
      if settled.last?.offset != change.offset { settled.append(change) }
    }
    return settled
  }
}

extension Timestamp {
  fileprivate var year: Int { Calendar.date(days: Int(microseconds / DayCalendar.usualDay)).year }
}

/// Reads the parts of a TZif file.
private struct ZoneDataReader {
  /// The counts of a block.
  struct Header {
    let version: UInt8
    let universalFlags, standardFlags, leapSeconds, times, kinds, letters: Int

    /// Returns the length of the block where times have so many bytes.
    func byteCount(ofTime size: Int) -> Int {
      times * (size + 1) + kinds * 6 + letters + leapSeconds * (size + 4) + standardFlags
        + universalFlags
    }
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) -> Bool {
    guard count <= bytes.count - position else { return false }
    position += count
    return true
  }

  /// Reads a number with the most significant byte first.
  private mutating func number(_ size: Int) -> Int64? {
    guard size <= bytes.count - position else { return nil }
    defer { position += size }
    let start: Int64 = bytes[position] < 0x80 ? 0 : -1
    return bytes[position..<position + size].reduce(start) { $0 << 8 | Int64($1) }
  }

  mutating func header() -> Header? {
    guard bytes.dropFirst(position).starts(with: "TZif".utf8), bytes.count - position >= 44 else { return nil }
    let version = bytes[position + 4]
    position += 20
    let counts = (0..<6).compactMap { _ in number(4).map { Int($0) } }
    guard counts.allSatisfy({ (0...1 << 16).contains($0) }), counts[4] > 0 else { return nil }
    return Header(
      version: version, universalFlags: counts[0], standardFlags: counts[1], leapSeconds: counts[2],
      times: counts[3], kinds: counts[4], letters: counts[5])
  }

  /// Reads a block with times of 8 bytes: its changes, after one for the earliest time.
  mutating func changes(_ header: Header) -> [DayCalendar.Change]? {
    guard header.byteCount(ofTime: 8) <= bytes.count - position else { return nil }
    let end = position + header.byteCount(ofTime: 8)
    let times = (0..<header.times).compactMap { _ in number(8) }
    let kinds = (0..<header.times).compactMap { _ in number(1).map { Int($0) } }
    var offsets: [Int64] = []
    for _ in 0..<header.kinds {
      guard let offset = number(4), offset.magnitude < 26 * 3_600, skip(2) else { return nil }
      offsets.append(offset * 1_000_000)
    }
    position = end
    guard kinds.allSatisfy(offsets.indices.contains), zip(times, times.dropFirst()).allSatisfy(<)
    else { return nil }
    let range = -(Int64.max / 1_000_000)...Int64.max / 1_000_000
    return [DayCalendar.Change(time: .min, offset: offsets[0])]
      + zip(times, kinds).compactMap { time, kind in
        // The first change may be long before the first year.
        range.contains(time) ? .init(time: time * 1_000_000, offset: offsets[kind]) : nil
      }
  }

  /// Reads the rule at the end, between two line feeds.
  mutating func rule() -> ClockRule? {
    guard bytes.count - position >= 2, bytes[position] == 10, bytes.last == 10 else { return nil }
    return ClockRule(bytes[(position + 1)..<(bytes.count - 1)])
  }
}
