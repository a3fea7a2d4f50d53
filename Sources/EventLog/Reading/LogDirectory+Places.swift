/// Determines which of the files that look like segments belong to the log.
extension LogDirectory {
  /// Determines the log that the folder belongs to, and keeps the segments that belong to it, one of each position, in
  /// order.
  ///
  /// - Parameters:
  ///   - heads: The ids in the copies of HEAD.
  ///   - acceptingEarlier: Whether earlier versions of segments are accepted although events were erased since.
  /// - Throws: ``LogError`` if the log cannot be determined without the user.
  mutating func place(_ heads: [LogID], _ acceptingEarlier: Bool) throws(LogError) {
    log = try owner([list.list?.log].compactMap { $0 } + heads)
    guard let log else { return }
    if let list = list.list, list.log != log { self.list = .damaged }
    leaveOutStrangers(log)
    leaveOutDoubles()
    checkVersions(acceptingEarlier)
    segments.sort { a, b in
      if a.header.basePosition != b.header.basePosition {
        return a.header.basePosition < b.header.basePosition
      }
      if a.isRebuilt != b.isRebuilt { return !a.isRebuilt }
      return a.path.utf8.lexicographicallyPrecedes(b.path.utf8)
    }
    for segment in segments where !segment.isRebuilt && segment.path != segment.rightPath {
      misplaced.append(.misnamed(segment))
    }
    findMissing()
    misplaced.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    leftOut.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Returns the log that the folder belongs to: the one that SEGMENTS or HEAD names, if it has a segment; if neither
  /// names any, that of most segments. Nil if no header of a segment can be read.
  private func owner(_ proofs: [LogID]) throws(LogError) -> LogID? {
    let ids = segments.filter { !$0.isRebuilt }.map(\.header.log)
    var counts: [LogID: Int] = [:]
    for id in ids { counts[id, default: 0] += 1 }
    guard let most = counts.values.max(), let first = ids.first(where: { counts[$0] == most })
    else { return nil }
    guard let said = proofs.first else { return first }
    // A contradiction between one of those files and most segments is not resolved here: it would cost most of the
    // log.
    if let proved = proofs.first(where: { counts[$0] == most }) { return proved }
    let stranger = segments.first { !$0.isRebuilt && !proofs.contains($0.header.log) }
    let proof = (LogHead.names + [SegmentList.name]).joined(separator: ", ")
    throw LogError(
      .damaged,
      "the segment belongs to log \(first), but the log is \(said), as its files \(proof) say: restore the log's "
        + "own file from a backup, and move this one to where it belongs; if it is the right one, move those files "
        + "away, then try again", path: stranger?.path ?? path)
  }

  private mutating func leaveOutStrangers(_ log: LogID) {
    let strangers = segments.filter { !$0.isRebuilt && $0.header.log != log }
    for segment in strangers { leaveOut(segment, .stranger(segment, in: log)) }
    segments.removeAll { !$0.isRebuilt && $0.header.log != log }
  }

  private mutating func leaveOut(_ segment: Segment, _ file: MisplacedFile) {
    misplaced.append(file)
    // Its place is its current path, which is not always the one it was written for.
    let name = segment.path.split(separator: "/").last.map(String.init) ?? ""
    leftOut.append(
      LeftOut(
        path: segment.path,
        basePosition: SegmentHeader.basePosition(fileName: name) ?? segment.header.basePosition,
        reason: file.message))
  }

  /// Keeps one file of each segment: a version that SEGMENTS lists before others, the longest of the same version, and
  /// of equal ones the one with the right name.
  private mutating func leaveOutDoubles() {
    let byPosition = Dictionary(grouping: segments.indices) { segments[$0].header.basePosition }
    var doubles: Set<Int> = []
    for indices in byPosition.values where indices.count > 1 {
      guard let best = indices.max(by: { isBetter($1, than: $0) }) else { continue }
      for index in indices where index != best {
        // Files that cannot be identified as the same segment are left to the scan.
        guard !segments[index].isRebuilt, !segments[best].isRebuilt else { continue }
        leaveOut(segments[index], .double(segments[index], of: segments[best]))
        doubles.insert(index)
      }
    }
    segments = segments.indices.filter { !doubles.contains($0) }.map { segments[$0] }
  }

  private func isBetter(_ a: Int, than b: Int) -> Bool {
    let (a, b) = (segments[a], segments[b])
    if a.isRebuilt != b.isRebuilt { return !a.isRebuilt }
    let (isKnownA, isKnownB) = (isListed(a), isListed(b))
    if isKnownA != isKnownB { return isKnownA }
    if a.header == b.header {
      let (sizeA, sizeB) = ((try? a.file.size()) ?? 0, (try? b.file.size()) ?? 0)
      if sizeA != sizeB { return sizeA > sizeB }
    }
    if (a.path == a.rightPath) != (b.path == b.rightPath) { return a.path == a.rightPath }
    return a.path.utf8.lexicographicallyPrecedes(b.path.utf8)
  }

  private func isListed(_ segment: Segment) -> Bool {
    list.list?.admits(segment.header) ?? true
  }

  /// Finds earlier versions of segments that were rewritten. A version that may contain erased events is excluded.
  private mutating func checkVersions(_ acceptingEarlier: Bool) {
    guard let list = list.list else { return }
    for segment in segments where !segment.isRebuilt && !isListed(segment) {
      if list.hasErased(at: segment.header.basePosition), !acceptingEarlier {
        leaveOut(segment, .earlier(segment, erased: true))
        segments.removeAll { $0.path == segment.path }
      } else {
        misplaced.append(.earlier(segment, erased: false))
      }
    }
  }

  /// Finds listed segments that are missing after the last existing one; the scan finds those missing before.
  private mutating func findMissing() {
    guard let list = list.list, let last = segments.last else { return }
    let others = Set(leftOut.map(\.basePosition))
    for base in Set(list.entries.map(\.basePosition)).sorted()
    where base > last.header.basePosition && !others.contains(base) {
      let file = MisplacedFile.missing(base, in: path)
      if file.path != incompleteSegment { misplaced.append(file) }
    }
  }
}
