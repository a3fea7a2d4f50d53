internal import Events

/// What a full check of a log found.
public struct LogVerification: Sendable {
  /// Something in a log that is not as it was written.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public var path: String
    /// The byte in it.
    public var offset: UInt64
    /// What is wrong there.
    public var reason: String

    /// `PATH, byte OFFSET: REASON`.
    public var description: String { "\(path), byte \(offset): \(reason)" }
  }

  /// What is wrong, in the order of the log; nothing when the log is whole.
  public var problems: [Problem] = []
  /// How many events were read back.
  public var eventCount: UInt64 = 0
  /// How many bytes were checked.
  public var byteCount: UInt64 = 0
}

extension LogReader {
  /// Checks every byte of the log: the checksum of each column, the zeros between them, and that every event
  /// can be put together again and says what its kind must say.
  ///
  /// What the frames themselves promise (headers, directories, chains, positions) was checked when the log
  /// was opened.
  ///
  /// - Parameter progress: Called after each frame with the number of bytes checked so far.
  /// - Returns: What was checked, and what is wrong.
  /// - Throws: ``LogError`` when a file cannot be read. Damage is not thrown but found.
  /// - Complexity: O(bytes); memory for one frame and all names.
  public func verify(progress: (UInt64) -> Void = { _ in }) throws(LogError) -> LogVerification {
    var result = LogVerification()
    result.byteCount = UInt64(segments.count * SegmentHeader.byteCount)
    for frame in frames {
      let path = segments[frame.segment].path
      let check = FrameCheck(file: segments[frame.segment].file, frame: frame)
      for problem in try check.problems() {
        result.problems.append(
          LogVerification.Problem(path: path, offset: problem.offset, reason: problem.reason))
      }
      result.byteCount += UInt64(frame.header.length)
      progress(result.byteCount)
    }
    guard result.problems.isEmpty else { return result }
    try readBack(into: &result)
    return result
  }

  private func readBack(into result: inout LogVerification) throws(LogError) {
    do {
      for frame in frames where frame.isKnown && frame.rows > 0 {
        let check = PromiseCheck(reader: FrameReader(log: self, frame: frame))
        guard let reason = try check.problem() else { continue }
        result.problems.append(
          LogVerification.Problem(
            path: segments[frame.segment].path, offset: frame.offset, reason: reason))
      }
      try forEachEvent { record, position in
        do throws(EventProblem) {
          try record.validate()
        } catch {
          let frame = frames.last { $0.basePosition <= position }
          result.problems.append(
            LogVerification.Problem(
              path: frame.map { segments[$0.segment].path } ?? path, offset: frame?.offset ?? 0,
              reason: "event \(position): \(error)"))
        }
        result.eventCount += 1
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
