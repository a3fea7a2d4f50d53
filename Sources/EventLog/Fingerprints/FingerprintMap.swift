/// Why a fingerprint map could not keep or find its entries.
package struct FingerprintMapError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed.
  package enum Code: String, Sendable {
    /// No temporary file could be made.
    case cannotCreate
    /// A temporary file could not be written: mostly a full disk.
    case cannotWrite
    /// A temporary file could not be read back.
    case cannotRead
  }

  /// What failed.
  package var code: Code
  /// What, where, and how to mend it, in one line.
  package var description: String
}

/// A map from fingerprints to 32-bit numbers that holds more than memory: a hash table up to a given
/// number of entries, and beyond that sorted runs in temporary files that have no name, so that
/// nothing is left behind whatever happens.
///
/// Runs are merged four at a time, each into one of the next level, so an entry is written
/// O(log n) times and a lookup asks O(log n) runs. A Bloom filter per run, within a total budget, lets
/// a lookup skip nearly all of them; the rest take one or two reads, because fingerprints are spread
/// evenly and their place in a run can be computed.
///
/// Memory: 24 bytes for each of at most `2 * memoryCapacity * 4 / 3` table slots (half as much again
/// for a moment when they are sorted out to disk), the filter budget, and 64 KiB for each run of a
/// merge. A copy shares the runs, which never change.
package struct FingerprintMap {
  /// How many runs of one level are merged into one of the next.
  static let fanOut = 4

  private let directory: String
  private let filterBudget: Int
  private var table: FingerprintTable
  /// From the oldest to the newest; levels never rise from one to the next.
  private var runs: [FingerprintRun] = []

  /// Makes an empty map.
  ///
  /// - Parameters:
  ///   - directory: Where temporary files go once memory is full.
  ///   - memoryCapacity: How many entries stay in memory; at least 1.
  ///   - filterBudget: How many bytes all Bloom filters together may take; 0 for none.
  package init(
    directory: String, memoryCapacity: Int = 1 << 21, filterBudget: Int = 64 << 20
  ) {
    self.directory = directory
    self.filterBudget = max(0, filterBudget)
    self.table = FingerprintTable(capacity: memoryCapacity)
  }

  /// Whether nothing was ever set.
  package var isEmpty: Bool { table.count == 0 && runs.isEmpty }

  /// How many runs lie on disk.
  package var runCount: Int { runs.count }

  /// How many bytes the Bloom filters take.
  package var filterBytes: Int { runs.reduce(0) { $0 + ($1.filter?.byteCount ?? 0) } }

  /// The number last set for a fingerprint; nil when none was.
  ///
  /// - Throws: ``FingerprintMapError`` `cannotRead`.
  /// - Complexity: O(1) in memory; on disk about one read for each run that has the entry or whose
  ///   filter errs.
  package func value(for key: Fingerprint) throws(FingerprintMapError) -> UInt32? {
    if let value = table.value(for: key) { return value }
    for run in runs.reversed() where run.mayContain(key) {
      if let value = try run.value(for: key) { return value }
    }
    return nil
  }

  /// Looks at the place in memory where the fingerprint would stand, so that it is near when it is needed.
  ///
  /// - Returns: A number that means nothing.
  @inline(__always)
  func touch(_ key: Fingerprint) -> UInt64 {
    table.touch(key)
  }

  /// Sets the number of a fingerprint; the newest one holds.
  ///
  /// - Throws: ``FingerprintMapError``; the map then holds what it held before.
  /// - Complexity: O(1) amortised, and O(log n) sequential writes of 20 bytes.
  package mutating func set(_ value: UInt32, for key: Fingerprint) throws(FingerprintMapError) {
    if table.set(value, for: key) { return }
    try spill()
    _ = table.set(value, for: key)
  }

  /// Calls `body` once for each fingerprint with its newest number; the order is unspecified.
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

  /// Moves the table to a new run, then merges runs while there are enough of a level.
  private mutating func spill() throws(FingerprintMapError) {
    guard table.count > 0 else { return }
    let entries = table.takeSorted()
    do throws(FingerprintMapError) {
      let writer = try FingerprintRunWriter(
        directory: directory, filter: FingerprintFilter(count: entries.count, budget: filterBudget))
      for entry in entries { try writer.append(entry.key, entry.value) }
      runs.append(try writer.finish(level: 0))
    } catch {
      table.restore(entries)
      throw error
    }
    fitFilters()
    try mergeFullLevels()
  }

  private mutating func mergeFullLevels() throws(FingerprintMapError) {
    while let newest = runs.last {
      let same = runs.suffix(while: { $0.level == newest.level })
      guard same.count >= Self.fanOut else { return }
      // The filters of what is merged make room for the new one; if the merge fails, lookups are
      // slower and still right.
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
  /// The longest suffix whose elements all satisfy the condition.
  fileprivate mutating func suffix(while condition: (Element) -> Bool) -> [Element] {
    let start = lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex
    return Array(self[start...])
  }
}
