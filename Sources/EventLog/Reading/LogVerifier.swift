internal import Events

/// The result of a full verification of a log.
public struct LogVerification: Sendable {
  /// A location in a log that is not as it was written.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public var path: String
    /// The offset in the file.
    public var offset: UInt64
    /// A description of the problem.
    public var reason: String

    /// `PATH, byte OFFSET: REASON`.
    public var description: String { "\(path), byte \(offset): \(reason)" }
  }

  /// The problems, in the order of the log; empty if the log is intact.
  public var problems: [Problem] = []
  /// The number of events in the checked frames, including erased and lost ones.
  public var eventCount: UInt64 = 0
  /// The number of bytes checked.
  public var byteCount: UInt64 = 0

  fileprivate mutating func add(path: String, offset: UInt64, _ reason: String) {
    problems.append(Problem(path: path, offset: offset, reason: reason))
  }
}

extension LogReader {
  /// Verifies every byte of the log: the header of each segment, and of each frame its header, its directory, the
  /// checksum of each column, the padding between them and the trailer. Chains and positions were checked when the log
  /// was opened.
  ///
  /// Data that was written incorrectly has valid checksums. To detect that too, a deep check then reads back every
  /// event, which takes hundreds of times as long: that it can be reassembled, and has the fields that its kind
  /// requires.
  ///
  /// - Parameters:
  ///   - deep: Whether every event is read back as well, if no byte is wrong.
  ///   - progress: Called after each frame with the number of bytes checked so far.
  /// - Returns: What was checked, and the problems.
  /// - Throws: ``LogError`` if a file cannot be read. Damage is not thrown but returned.
  /// - Complexity: O(bytes), in a quarter of a MiB of memory and that of the longest directory. A deep check:
  ///   O(events) as well, and memory for one frame and all names.
  public func verify(
    deep: Bool = false, progress: (UInt64) -> Void = { _ in }
  ) throws(LogError) -> LogVerification {
    var result = LogVerification()
    var next = frames.startIndex
    for (index, segment) in segments.enumerated() {
      var bytes = CheckedBytes(segment.file, limit: segment.byteCount)
      let header = try bytes.take(0..<UInt64(SegmentHeader.byteCount))
      if (try? SegmentHeader(header)) != segment.header {
        result.add(path: segment.path, offset: 0, "the header of the file has changed")
      }
      result.byteCount += UInt64(SegmentHeader.byteCount)
      while next < frames.endIndex, frames[next].segment == index {
        try check(frames[next], &bytes, into: &result)
        progress(result.byteCount)
        next += 1
      }
    }
    if deep, result.problems.isEmpty { try readBack(into: &result) }
    return result
  }

  private func check(
    _ frame: FrameInfo, _ bytes: inout CheckedBytes, into result: inout LogVerification
  ) throws(LogError) {
    let segment = segments[frame.segment]
    for problem in try FrameCheck(file: segment.file, frame: frame).problems(&bytes) {
      result.add(path: segment.path, offset: problem.offset, problem.reason)
    }
    for entry in frame.entries where frame.isKnown && frame.rows > 0 {
      // Checksums do not prove that a code has a name, and a frame with a code that has none cannot be read.
      guard let vocabulary = entry.column.codes, entry.high >= Int64(codeLimit(vocabulary)) else {
        continue
      }
      result.add(
        path: segment.path, offset: frame.offset + UInt64(entry.offset),
        "column \(entry.column.name): code \(entry.high) has no name")
    }
    result.byteCount += UInt64(frame.header.length)
    if frame.isKnown { result.eventCount += UInt64(frame.rows) }
  }

  private func readBack(into result: inout LogVerification) throws(LogError) {
    do {
      for frame in frames where frame.isKnown && frame.rows > 0 {
        let check = FrameHeaderCheck(reader: FrameReader(log: self, frame: frame))
        guard let reason = try check.problem() else { continue }
        result.problems.append(
          LogVerification.Problem(
            path: segments[frame.segment].path, offset: frame.offset, reason: reason))
      }
      try forEachEvent { record, position in
        do throws(EventProblem) {
          try record.validateFields()
        } catch {
          let frame = frames.last { $0.basePosition <= position }
          result.problems.append(
            LogVerification.Problem(
              path: frame.map { segments[$0.segment].path } ?? path, offset: frame?.offset ?? 0,
              reason: "event \(position): \(error)"))
        }
      }
    } catch let error as LogError where error.code == .damaged {
      result.problems.append(
        LogVerification.Problem(
          path: error.path, offset: error.offset ?? 0, reason: error.message))
    } catch let error as LogError {
      throw error
    } catch {
      throw LogError(.inputOutput, "\(error)", path: path)
    }
  }
}
