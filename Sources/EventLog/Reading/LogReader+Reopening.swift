/// Following a log that is being written.
extension LogReader {
  /// Returns a reader of the current state of the log, or nil if nothing was appended since this reader was opened. It
  /// has the events of a reader that is opened anew.
  ///
  /// If the log has only grown, frames that this reader knows are not read again, so damage that they have suffered
  /// since is found when their events are read. If a segment was replaced, because the log was compacted, repaired or
  /// rewritten to erase events, the log is opened anew. A segment that is compacted while nothing is appended is no
  /// change: this reader continues with the file that it has.
  ///
  /// - Throws: ``LogError``, as when a log is opened.
  /// - Complexity: O(number of segments + number of new frames); O(number of frames) if a segment was replaced, or
  ///   anything was lost.
  public func reopened() throws(LogError) -> LogReader? {
    if try isCurrent() { return nil }
    if let continued = try continued() { return continued }
    return try LogReader(path, damaged: policy, disk: disk, ledger: ledger)
  }

  /// Whether the log has no other segments, and the last one no other frames.
  private func isCurrent() throws(LogError) -> Bool {
    let names = (try disk.list(path) ?? []).filter {
      SegmentHeader.basePosition(fileName: $0) != nil
    }
    guard names.count == segmentFileCount else { return false }
    guard let last = segments.last else { return true }
    let file = try disk.open(last.path, writable: false)
    guard try file.size() == last.byteCount + (tail?.byteCount ?? 0) else { return false }
    // With damage skipped the last frame is not always the one before the end.
    if policy == .skip, !ledger.losses.isEmpty { return true }
    // The same size is not always the same content: a writer may have set aside a torn frame, and written it again.
    guard try file.isSegment(last.header),
      var scanner = try FrameScanner(resuming: self, file, segment: segments.count - 1)
    else { return false }
    guard tail != nil, case .frame(let frame) = try scanner.next() else { return true }
    return try !FrameCheck(file: file, frame: frame).isWhole()
  }

  /// Returns a reader of the log if it has only grown; nil if it must be opened anew.
  private func continued() throws(LogError) -> LogReader? {
    guard misplaced.isEmpty, policy == .strict || ledger.losses.isEmpty else { return nil }
    do throws(LogError) {
      let directory = try LogDirectory(path, disk: disk)
      guard directory.log == id, policy == .strict || directory.list != .damaged,
        let scan = try LogScan(continuing: self, directory)
      else { return nil }
      return LogReader(directory, scan, damaged: policy, disk: disk, ledger: ledger)
    } catch {
      // Opening the log anew finds the same, or skips it.
      return nil
    }
  }
}

extension DiskFile {
  /// Returns whether the file has the header of a segment.
  fileprivate func isSegment(_ header: SegmentHeader) throws(LogError) -> Bool {
    (try? SegmentHeader(try read(at: 0, count: SegmentHeader.byteCount))) == header
  }
}
