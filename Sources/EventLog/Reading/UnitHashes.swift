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
  /// - Complexity: O(length of the names) in time for n units; 8 bytes of memory for each, and 4 more while
  ///   they are compared.
  package init(_ log: LogReader, from first: UInt32 = 1) throws(LogError) {
    codes = CodeRuns(firstCode: first)
    hashes.reserveCapacity(
      min(max(0, Int(log.codeLimit(.units)) - Int(first)), Self.mostReserved))
    for frame in log.frames {
      for entry in frame.entries
      where entry.column.vocabulary == .units && entry.low >= Int64(first) {
        try add(entry, frame, log)
      }
    }
    try breakTies(log)
  }

  /// The hashes for which there is room at first: growing would take twice the memory for a moment.
  private static let mostReserved = 1 << 25

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
    let tied = Self.repeated(among: hashes)
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

  /// Returns the hashes that occur several times, in two passes over a table of bits, so that few have to be sorted:
  /// only a hash whose bit is set already can be equal to one before.
  static func repeated(among hashes: [UInt64]) -> Set<UInt64> {
    let width = max(6, Int.bitWidth - (8 * hashes.count).leadingZeroBitCount)
    var (seen, shared) = (BitTable(width: width), BitTable(width: width))
    for hash in hashes where !seen.insert(hash) { _ = shared.insert(hash) }
    let candidates = hashes.filter { shared.contains($0) }.sorted()
    return Set(zip(candidates, candidates.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
  }
}

/// A set of numbers that are told apart by their highest bits.
private struct BitTable {
  private var words: [UInt64]
  private let shift: UInt64

  /// Creates an empty table of 2 to the power of a width bits, at least 6.
  init(width: Int) {
    words = Array(repeating: 0, count: 1 << (width - 6))
    shift = UInt64(64 - width)
  }

  func contains(_ number: UInt64) -> Bool {
    let bit = number >> shift
    return words[Int(bit >> 6)] & 1 << (bit & 63) != 0
  }

  /// Inserts a number, and returns whether no number with the same bits was in the table.
  mutating func insert(_ number: UInt64) -> Bool {
    let bit = number >> shift
    let isNew = words[Int(bit >> 6)] & 1 << (bit & 63) == 0
    words[Int(bit >> 6)] |= 1 << (bit & 63)
    return isNew
  }
}
