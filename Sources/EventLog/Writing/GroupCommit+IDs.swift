internal import Threads

/// Builds the index of the log's ids outside of the monitor, while others append.
extension GroupCommit {
  /// The number of new ids that are added to the index while everybody waits, if no more than these are left.
  private static let fewIDs = 1_024
  /// How often new ids are added before that at most: those that come meanwhile are fewer each time.
  private static let roundCount = 64

  /// Builds the index unless it exists; waits for the call that does if there is one.
  func indexIDs() throws(LogError) {
    guard let start = try beginIndexing() else { return }
    do throws(LogError) {
      try buildIndex(start)
    } catch {
      look { state in
        state.newIDs = nil
        monitor.announce()
      }
      // A writer that failed has truncated the log, and says why.
      try perform { state throws(LogError) in
        if let failure = state.failure { throw state.poisoned(failure) }
      }
      throw error
    }
  }

  /// - Returns: What the index begins with; nil if there is one already.
  private func beginIndexing() throws(LogError) -> RecentIDs? {
    let start = monitor.wait { state -> Result<RecentIDs?, LogError>? in
      if let failure = state.failure { return .failure(state.poisoned(failure)) }
      if state.ids != nil { return .success(nil) }
      guard state.newIDs == nil else { return nil }
      return Result { () throws(LogError) in try state.beginIndexing() }
    }
    return try start.get()
  }

  private func buildIndex(_ start: RecentIDs) throws(LogError) {
    let (path, disk) = look { ($0.path, $0.disk) }
    var index = EventIDIndex(path: path, key: start.key)
    let log = try LogReader(path, disk: disk)
    try index.add(log, before: start.firstPosition) { index throws(LogError) in
      try index.add(takeNewIDs())
    }
    for _ in 0..<Self.roundCount {
      let new = takeNewIDs()
      try index.add(new)
      if new.count <= Self.fewIDs { break }
    }
    try perform { state throws(LogError) in
      if let failure = state.failure { throw state.poisoned(failure) }
      try index.add(state.newIDs?.take() ?? [])
      state.ids = index
      state.newIDs = nil
      monitor.announce()
    }
  }

  private func takeNewIDs() -> [RecentIDs.Entry] {
    look { $0.newIDs?.take() ?? [] }
  }
}
