/// Reading on behind damage.
extension FrameScanner {
  /// Makes the segment's first frame the one that follows its header, which is not what it was.
  mutating func chainToFirstFrame() throws(LogError) {
    let start = try file.read(at: offset, count: FrameHeader.byteCount)
    if let (header, _) = FrameHeader.read(start[...]) { previous = header.previous }
  }

  /// Goes on behind the next frame whose header and directory are right, from where it stands.
  ///
  /// - Parameters:
  ///   - position: Positions before it were read already.
  ///   - limit: The position at which the next segment begins.
  /// - Returns: The frame, and what is wrong in it although it can be used; nil when there is none.
  /// - Throws: ``LogError`` when the file cannot be read, or when a newer version wrote a frame.
  mutating func resume(
    at position: UInt64, below limit: UInt64
  ) throws(LogError) -> (frame: FrameInfo, notes: [String])? {
    let start = offset
    var places = [start]
    // A header that is right says where the next frame begins, so that no bytes of its own frame can be taken
    // for one.
    let head = try file.read(at: start, count: FrameHeader.byteCount)
    if let (header, _) = FrameHeader.read(head[...]), header.salt == self.header.salt {
      places.append(start + UInt64(header.length))
    }
    for place in places {
      let head = try file.read(at: place, count: FrameHeader.byteCount)
      guard let (header, crc) = FrameHeader.read(head[...]),
        let found = try usable(header, crc, at: place, position..<limit)
      else { continue }
      return goOn(with: found, from: start)
    }
    var found: (frame: FrameInfo, isEnded: Bool)?
    _ = try firstHeader(from: start + 8) { header, crc, offset throws(LogError) in
      found = try usable(header, crc, at: offset, position..<limit)
      return found != nil
    }
    return found.map { goOn(with: $0, from: start) }
  }

  /// The frame of a header, if it is one of the segment's, holds no event that was read already, and its
  /// directory is right.
  private func usable(
    _ header: FrameHeader, _ crc: UInt32, at offset: UInt64, _ positions: Range<UInt64>
  ) throws(LogError) -> (frame: FrameInfo, isEnded: Bool)? {
    guard header.salt == self.header.salt, header.basePosition >= positions.lowerBound,
      header.basePosition + UInt64(header.rows) <= positions.upperBound,
      offset + UInt64(header.length) <= size
    else { return nil }
    try requireKnown(header, at: offset)
    do {
      return try complete(header, crc, at: offset)
    } catch let error as LogError {
      throw error
    } catch {
      return nil
    }
  }

  private mutating func goOn(
    with found: (frame: FrameInfo, isEnded: Bool), from start: UInt64
  ) -> (frame: FrameInfo, notes: [String]) {
    var notes: [String] = []
    if !found.isEnded { notes.append("the end of the frame is damaged, its columns are not") }
    if found.frame.offset == start, found.frame.header.previous != previous {
      notes.append("the frame does not follow the one before it")
    }
    goOn(behind: found.frame)
    return (found.frame, notes)
  }
}

extension LogScan {
  /// How far codes may lie beyond the names that are there, in frames behind a loss: more names are in no
  /// few frames, and whoever makes an array of all codes must not be made to run out of memory.
  static let largestHole: Int64 = 1 << 24

  /// Whether names may begin with a code: the next one, or behind a loss one that leaves room for names that
  /// are lost.
  func isNext(
    _ code: Int64, _ limit: UInt32, _ frame: FrameInfo, _ vocabulary: Vocabulary
  ) -> Bool {
    if code == Int64(limit) { return true }
    guard hasLost, code > Int64(limit) else { return false }
    // Each unit came with an event.
    return vocabulary == .units
      ? UInt64(code) <= frame.endPosition : code - Int64(limit) <= Self.largestHole
  }

  /// Takes codes that the frame uses for given, although the frame that gave them is lost.
  mutating func makeRoomForLostNames(_ frame: FrameInfo) {
    for entry in frame.entries {
      guard let vocabulary = entry.column.codes, entry.high > 0, entry.high < Int64(UInt32.max),
        isNext(entry.high, codeLimits[vocabulary.index], frame, vocabulary)
      else { continue }
      codeLimits[vocabulary.index] = UInt32(entry.high) + 1
    }
  }
}

extension ColumnID {
  /// The vocabulary whose codes the column holds, one for each row; nil when it holds none.
  var codes: Vocabulary? {
    switch self {
    case .unit: .units
    case .experiment: .experiments
    case .point: .points
    case .slot: .slots
    case .variant: .variants
    case .policy: .policies
    case .reason: .reasons
    case .goal: .goals
    case .dataKind: .dataKinds
    case .key: .keys
    case .system, .instance: .systems
    case .choices, .changed: .lists
    case .context, .features, .metadata: .shapes
    default: (32..<48).contains(rawValue) && rawValue % 4 == 2 ? .values : nil
    }
  }
}
