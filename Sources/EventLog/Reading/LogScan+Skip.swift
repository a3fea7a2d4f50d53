/// Continues reading after damage.
extension FrameScanner {
  /// Chains to the first frame that follows the segment's header, which has changed.
  mutating func chainToFirstFrame() throws(LogError) {
    let start = try file.read(at: offset, count: FrameHeader.byteCount)
    if let (header, _) = FrameHeader.read(start[...]) { previous = header.previous }
  }

  /// Continues after the next frame from the current offset whose header and directory are valid.
  ///
  /// - Parameters:
  ///   - position: The position before which everything was read already.
  ///   - limit: The position at which the next segment begins.
  /// - Returns: The frame, and what is wrong in it although it can be used; nil if there is none.
  /// - Throws: ``LogError`` if the file cannot be read, or a frame was written by a newer version.
  mutating func resume(
    at position: UInt64, below limit: UInt64
  ) throws(LogError) -> (frame: FrameInfo, notes: [String])? {
    let start = offset
    var places = [start]
    // A valid header gives the start of the next frame, so that no bytes within its own frame can be mistaken for one.
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

  /// Returns the frame of a header, if it belongs to the segment, holds no event that was read already, and its
  /// directory is valid.
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
  /// The maximum gap of codes beyond the existing names, in frames after a loss: few frames do not define more names,
  /// and an array of all codes must not exhaust the memory.
  static let largestHole: Int64 = 1 << 24

  /// Returns whether names may begin with a code: the next one, or after a loss one that leaves room for lost names.
  func isNext(
    _ code: Int64, _ limit: UInt32, _ frame: FrameInfo, _ vocabulary: Vocabulary
  ) -> Bool {
    if code == Int64(limit) { return true }
    guard hasLost, code > Int64(limit) else { return false }
    // Each unit is introduced by an event.
    return vocabulary == .units
      ? UInt64(code) <= frame.endPosition : code - Int64(limit) <= Self.largestHole
  }

  /// Treats codes that the frame uses as assigned, although the frame that defined them is lost.
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
  /// The vocabulary of the codes in the column, one for each row; nil if it holds none.
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
