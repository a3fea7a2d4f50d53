/// The hash of the name of every unit, by code: random draws derived from it are the same in every log that has the
/// unit, on every machine.
package struct UnitHashes: Sendable {
  private var codes: CodeRuns
  private var hashes: [UInt64] = []

  /// Computes the hashes of the units of a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - first: The first code to include, at which the names of some frame begin.
  /// - Throws: ``LogError`` if a frame cannot be read or its names do not continue those before.
  /// - Complexity: O(length of the names) in time; 8 bytes of memory for each unit.
  package init(_ log: LogReader, from first: UInt32 = 1) throws(LogError) {
    codes = CodeRuns(firstCode: first)
    for frame in log.frames {
      for entry in frame.entries
      where entry.column.vocabulary == .units && entry.low >= Int64(first) {
        try add(entry, frame, log)
      }
    }
  }

  /// Creates hashes from stored ones, of the units with the codes from 1 on.
  package init(kept: [UInt64]) {
    codes = CodeRuns(firstCode: 1)
    codes.append(names: kept.count)
    hashes = kept
  }

  private mutating func add(
    _ entry: ColumnEntry, _ frame: FrameInfo, _ log: LogReader
  ) throws(LogError) {
    guard let first = UInt32(exactly: entry.low), first >= codes.nextCode,
      log.policy == .skip || first == codes.nextCode, first <= UInt32.max - entry.values
    else {
      throw log.damage("its codes begin with \(entry.low), not \(codes.nextCode)", entry, frame)
    }
    codes.appendHoles(first - codes.nextCode)
    do throws(LogError) {
      for name in try log.names(entry, of: frame) {
        guard let name else {
          codes.appendHoles(1)
          continue
        }
        codes.append()
        hashes.append(StableHash.of(name))
      }
    } catch {
      try log.passOver(error, noEvent: true)
      codes.appendHoles(first + entry.values - codes.nextCode)
    }
  }

  /// The hash of a unit; for one whose name was erased or lost, a number that is unique in this log.
  ///
  /// - Complexity: O(1); O(log(holes)) in a log with removed names.
  package subscript(code: UInt32) -> UInt64 {
    guard let index = codes.index(of: code), index < hashes.count else { return UInt64(code) }
    return hashes[index]
  }
}
