/// An error of a fingerprint map that could not store or find its entries.
package struct FingerprintMapError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operation that failed.
  package enum Code: String, Sendable {
    /// A temporary file could not be created.
    case cannotCreate
    /// A temporary file could not be written, usually because the disk is full.
    case cannotWrite
    /// A temporary file could not be read back.
    case cannotRead
  }

  /// The operation that failed.
  package var code: Code
  /// A message in one line that says what is wrong, where, and how to fix it.
  package var description: String
}

extension FingerprintMapError {
  /// Returns what a closure returns, with its error as one of the log at a path.
  static func translated<Result>(
    _ path: String, _ body: () throws(FingerprintMapError) -> Result
  ) throws(LogError) -> Result {
    do throws(FingerprintMapError) {
      return try body()
    } catch {
      throw LogError(.inputOutput, error.description, path: path)
    }
  }
}

/// A map from fingerprints to 32-bit numbers that can exceed memory: a hash table up to a given number of entries,
/// which spills to sorted runs in anonymous temporary files, so that nothing is left behind whatever happens.
///
/// Runs are merged four at a time, each into one of the next level, so an entry is written O(log n) times and a lookup
/// probes O(log n) runs. A Bloom filter per run, within a total budget, lets a lookup skip nearly all of them; the
/// rest take one read each, because the first key of each block of a run is kept.
///
/// Memory: 25 bytes for each of at most `2 * memoryCapacity * 4 / 3` table slots (half as much again while they are
/// sorted and written to disk), the filter budget, 64 KiB for each run of a merge, and 8 bytes for 204 entries of a
/// run. Copies share the runs, which are immutable.
package struct FingerprintMap {
  /// The number of runs of one level that are merged into one of the next.
  static let fanOut = 4

  private let directory: String
  private let filterBudget: Int
  private var table: FingerprintTable
  /// The runs from oldest to newest; levels never increase from one to the next.
  private var runs: [FingerprintRun] = []

  /// Creates an empty map.
  ///
  /// - Parameters:
  ///   - directory: The folder for temporary files once memory is full.
  ///   - memoryCapacity: The number of entries kept in memory; at least 1.
  ///   - filterBudget: The size in bytes of all Bloom filters together; 0 for none.
  package init(
    directory: String, memoryCapacity: Int = 1 << 21, filterBudget: Int = 64 << 20
  ) {
    self.directory = directory
    self.filterBudget = max(0, filterBudget)
    self.table = FingerprintTable(capacity: memoryCapacity)
  }

  /// Whether no value was ever set.
  package var isEmpty: Bool { table.count == 0 && runs.isEmpty }

  /// The number of runs on disk.
  package var runCount: Int { runs.count }

  /// The size of the Bloom filters in bytes.
  package var filterBytes: Int { runs.reduce(0) { $0 + ($1.filter?.byteCount ?? 0) } }

  /// Returns the number most recently set for a fingerprint; nil if there is none.
  ///
  /// - Throws: ``FingerprintMapError`` `cannotRead`.
  /// - Complexity: O(1) in memory; on disk about one read for each run that has the entry or whose filter has a false
  ///   positive.
  package func value(for key: Fingerprint) throws(FingerprintMapError) -> UInt32? {
    if let value = table.value(for: key) { return value }
    for run in runs.reversed() where run.mayContain(key) {
      if let value = try run.value(for: key) { return value }
    }
    return nil
  }

  /// Has the processor load the table slot of a fingerprint, and its part of each filter, without waiting for them.
  package func prefetch(_ key: Fingerprint) {
    table.prefetch(key)
    for run in runs { run.filter?.prefetch(key) }
  }

  /// Sets the number of a fingerprint, replacing any earlier one.
  ///
  /// - Throws: ``FingerprintMapError``; the map is then unchanged.
  /// - Complexity: O(1) amortised, and O(log n) sequential writes of 20 bytes.
  package mutating func set(_ value: UInt32, for key: Fingerprint) throws(FingerprintMapError) {
    if table.set(value, for: key) { return }
    try spill()
    _ = table.set(value, for: key)
  }

  /// Adds 1 to the number of a fingerprint, which is 0 before it is set; the largest number stays.
  ///
  /// - Returns: The number before.
  /// - Throws: ``FingerprintMapError``; the map is then unchanged.
  /// - Complexity: that of ``value(for:)`` and ``set(_:for:)``.
  package mutating func increment(_ key: Fingerprint) throws(FingerprintMapError) -> UInt32 {
    if let value = table.increment(key) { return value }
    let value = runs.isEmpty ? 0 : try self.value(for: key) ?? 0
    try set(value == .max ? value : value + 1, for: key)
    return value
  }

  /// Adds 1 to the numbers of fingerprints, one after the other. What is known of many is loaded first, so that the
  /// processor waits for many places at once.
  ///
  /// - Throws: ``FingerprintMapError``; some numbers may then be changed.
  package mutating func increment(
    _ keys: ArraySlice<Fingerprint>
  ) throws(FingerprintMapError) {
    var rest = keys
    while !rest.isEmpty {
      for key in rest.prefix(256) { prefetch(key) }
      for key in rest.prefix(256) { _ = try increment(key) }
      rest = rest.dropFirst(256)
    }
  }

  /// Calls `body` once for each fingerprint with its latest number; the order is unspecified.
  ///
  /// - Throws: ``FingerprintMapError``.
  package mutating func forEach(
    _ body: (Fingerprint, UInt32) throws(FingerprintMapError) -> Void
  ) throws(FingerprintMapError) {
    guard !runs.isEmpty else {
      try table.forEach(body)
      return
    }
    try spill()
    try FingerprintMerge.merge(runs, body)
  }

  /// Writes the table to a new run, then merges runs while a level has enough of them.
  private mutating func spill() throws(FingerprintMapError) {
    guard table.count > 0 else { return }
    let entries = table.sorted()
    let writer = try FingerprintRunWriter(
      directory: directory, filter: FingerprintFilter(count: entries.count, budget: filterBudget))
    for entry in entries { try writer.append(entry.key, entry.value) }
    runs.append(try writer.finish(level: 0))
    table.removeAll()
    fitFilters()
    try mergeFullLevels()
  }

  private mutating func mergeFullLevels() throws(FingerprintMapError) {
    while let newest = runs.last {
      let same = runs.suffix(while: { $0.level == newest.level })
      guard same.count >= Self.fanOut else { return }
      // The filters of the merged runs make room for the new one; if the merge fails, lookups are slower and still
      // correct.
      for run in same { run.filter = nil }
      let count = same.reduce(0) { $0 + $1.count }
      let writer = try FingerprintRunWriter(
        directory: directory, filter: FingerprintFilter(count: count, budget: filterBudget))
      try FingerprintMerge.merge(same) { (key, value) throws(FingerprintMapError) in
        try writer.append(key, value)
      }
      let merged = try writer.finish(level: newest.level + 1)
      runs.removeLast(same.count)
      runs.append(merged)
      fitFilters()
    }
  }

  /// Halves the largest filters until all of them fit the budget.
  private mutating func fitFilters() {
    while filterBytes > filterBudget {
      let largest = runs.max {
        ($0.filter?.byteCount ?? 0) < ($1.filter?.byteCount ?? 0)
      }
      guard let largest, let filter = largest.filter else { return }
      largest.filter = filter.halved(count: largest.count)
    }
  }
}

extension Array {
  /// Returns the longest suffix whose elements all satisfy the condition.
  fileprivate mutating func suffix(while condition: (Element) -> Bool) -> [Element] {
    let start = lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex
    return Array(self[start...])
  }
}
