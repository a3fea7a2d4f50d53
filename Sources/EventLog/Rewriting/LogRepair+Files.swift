/// Repair of misplaced files.
extension LogRepair {
  /// The segments whose name belongs to another.
  var misnamed: [LogDirectory.Segment] {
    directory.segments.indices
      .filter { log.segments[$0].byteCount > 0 && !directory.segments[$0].isRebuilt }
      .map { directory.segments[$0] }.filter { $0.path != $0.rightPath }
  }

  /// The useless files: those that are excluded, and segments whose events others hold already.
  var useless: [String] {
    directory.leftOut.map(\.path)
      + log.segments.indices.filter { log.segments[$0].byteCount == 0 }
      .map { directory.segments[$0].path }
  }

  /// Renames each segment to its right name. If interrupted at any point, every file still has a name of one of the
  /// log's segments.
  func giveNames() throws(LogError) {
    var pending = misnamed.map { (path: $0.path, rightPath: $0.rightPath) }
    var parked: Set<String> = []
    while let first = pending.first {
      let taken = Set((try disk.list(path) ?? []).map { path + "/" + $0 })
      if let next = pending.firstIndex(where: { !taken.contains($0.rightPath) }) {
        try disk.rename(pending[next].path, to: pending[next].rightPath)
        pending.remove(at: next)
      } else {
        // The files form a cycle: one is moved away to a name that no segment has.
        guard
          let free = (0..<UInt64(taken.count) + 1).lazy.map({
            path + "/" + SegmentHeader.fileName(basePosition: .max - $0)
          }).first(where: { !taken.contains($0) })
        else { return }
        try disk.rename(first.path, to: free)
        pending.removeFirst()
        // Comes after the others, so that each is moved away once.
        guard !parked.contains(first.rightPath) else { return }
        parked.insert(first.rightPath)
        pending.append((free, first.rightPath))
      }
      try disk.syncFolder(path)
    }
  }

  /// Updates the list of rewritten segments to the current files.
  ///
  /// - Parameter replaced: The paths of the segments that were just rewritten.
  /// - Throws: ``LogError`` if it cannot be read or written.
  func listSegments(_ replaced: Set<String>) throws(LogError) {
    guard directory.list != .none, let id = log.id else { return }
    let kept = directory.segments.indices.filter { log.segments[$0].byteCount > 0 }
      .map { directory.segments[$0] }
    let now = try SegmentList.read(in: path, disk).list
    var list = try SegmentList.current(in: path, of: id, disk)
    for segment in kept where !replaced.contains(segment.rightPath) {
      let isKnown = !list.entries(at: segment.header.basePosition).isEmpty
      if directory.list == .damaged {
        // Its information on erasures is not known any more.
        list.allow(segment.header, besides: nil, erasing: true)
      } else if isKnown {
        list.settle(segment.header)
      }
    }
    let names = try disk.list(path) ?? []
    list.keep(Set(names.compactMap { SegmentHeader.basePosition(fileName: $0) }))
    if list != now { try list.write(in: path, disk) }
  }
}
