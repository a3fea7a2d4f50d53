internal import Platform
internal import Synchronization
internal import Threads

/// The threads of the writer, from their start to its end.
extension GroupCommit {
  /// Starts a thread; nil if the system has none left.
  func start(_ body: @escaping @Sendable (GroupCommit) -> Void) -> SystemThread? {
    SystemThread { body(self) }
  }

  // MARK: Compacting ended segments

  /// Starts the thread that compacts, or wakes it. If the system has no thread left, the segments wait for the next one
  /// that ends.
  func beginCompacting(_ state: inout LogWriterState) {
    state.ended.isNew = false
    if state.ended.thread == nil { state.ended.thread = start { $0.compactEndedSegments() } }
    monitor.announce()
  }

  /// The main loop of the thread that compacts, which runs as long as the writer exists.
  private func compactEndedSegments() {
    // On Linux the calling thread's alone: those that append and answer come first.
    SystemLimits.yieldThisThread(niceness: 10)
    while true {
      switch monitor.wait(for: { $0.nextCompaction() }) {
      case .compact(let segment): compact(segment)
      case .end: return
      }
    }
  }

  private func compact(_ segment: EndedSegments.Segment) {
    let compaction = look { $0.compaction }
    compaction.run(segment) { self.isAbandoning.load(ordering: .relaxed) }
    look { state in
      state.ended.isCompacting = false
      monitor.announce()
    }
  }

  /// Compacts the next ended segment on the calling thread. For tests that determine when that happens.
  ///
  /// - Returns: Whether there was one.
  func compactEndedSegment() -> Bool {
    guard case .compact(let segment) = look({ $0.nextCompaction() }) else { return false }
    compact(segment)
    return true
  }

  /// Waits until no ended segment is left to be compacted.
  func waitForCompacting() {
    let _: Bool = monitor.wait { $0.ended.isIdle ? true : nil }
  }

  // MARK: Ending

  /// Ends the threads and seals the log, when the writer is released. No call can be waiting, since a waiting call
  /// retains its writer.
  func end() {
    guard beginEnding(isClosing: false) else { return }
    join()
    look { state in
      state.seal()
      state.commits.isEnded = true
    }
  }

  /// Stops the writer, ends its threads and releases its files and its lock.
  func close() {
    guard beginEnding(isClosing: true) else {
      let _: Bool = monitor.wait { $0.commits.isEnded ? true : nil }
      return
    }
    let _: Bool = monitor.wait { state in
      guard !state.commits.isSyncing else { return nil }
      state.stop()
      self.monitor.announce()
      return true
    }
    join()
    look { state in
      state.release()
      state.commits.isEnded = true
      monitor.announce()
    }
  }

  /// - Returns: False if another call has begun already.
  private func beginEnding(isClosing: Bool) -> Bool {
    look { state in
      guard !state.commits.isEnding else { return false }
      state.commits.isEnding = true
      state.commits.isClosing = isClosing
      if isClosing || !state.finishesCompacting {
        isAbandoning.store(true, ordering: .relaxed)
      }
      monitor.announce()
      return true
    }
  }

  /// Waits until the threads have ended, so that the log's lock is released as soon as the writer is.
  private func join() {
    let threads = look { [$0.commits.committer, $0.ended.thread] }
    for thread in threads { thread?.join() }
  }
}
