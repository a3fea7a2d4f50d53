/// The hash of the name of every unit, by code: random draws and orders of units derived from it are the same in every
/// log that has the units, on every machine, in whatever order the units appear.
package struct UnitHashes: Sendable {
  private var codes: CodeRuns
  private var hashes: [UInt64] = []
  /// By index, the numbers of those of ``order(of:)`` that differ from the hashes: of different names with equal ones.
  private var ties: [Int: UInt64] = [:]

  /// Computes the hashes of the units of a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - first: The first code to include, at which the names of some frame begin.
  /// - Throws: ``LogError`` if a frame cannot be read or its names do not continue those before.
  /// - Complexity: O(length of the names + n log n) in time for n units; 8 bytes of memory for each, and 8 more while
  ///   they are sorted.
  package init(_ log: LogReader, from first: UInt32 = 1) throws(LogError) {
    codes = CodeRuns(firstCode: first)
    for frame in log.frames {
      for entry in frame.entries
      where entry.column.vocabulary == .units && entry.low >= Int64(first) {
        try add(entry, frame, log)
      }
    }
    try breakTies(log)
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

  /// The number by which units are ordered: their hash. Units of one log whose hashes are equal are ordered by the
  /// bytes of their names, and get the following numbers.
  ///
  /// - Complexity: As for the hash.
  package func order(of code: UInt32) -> UInt64 {
    guard !ties.isEmpty, let index = codes.index(of: code), let order = ties[index] else {
      return self[code]
    }
    return order
  }

  /// Orders units with equal hashes.
  private mutating func breakTies(_ log: LogReader) throws(LogError) {
    let sorted = hashes.sorted()
    let tied = Set(zip(sorted, sorted.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
    guard !tied.isEmpty else { return }
    let names = try LogNames(log, [.units])
    var units: [(index: Int, name: [UInt8])] = []
    for index in hashes.indices where tied.contains(hashes[index]) {
      units.append((index, Array(try names.unit(codes.code(at: index)) ?? [])))
    }
    units.sort { a, b in
      hashes[a.index] == hashes[b.index]
        ? a.name.lexicographicallyPrecedes(b.name) : hashes[a.index] < hashes[b.index]
    }
    var next: UInt64 = 0
    for unit in units {
      next = max(hashes[unit.index], next)
      ties[unit.index] = next
      next &+= next < .max ? 1 : 0
    }
  }
}
