internal import EventLog
internal import Prediction
internal import Threads

/// The steps of all runs in order of time, at equal times of the hashes of units, and within a unit as it was resolved,
/// in slices that are sorted one at a time.
///
/// Steps take 32 bytes each, in memory up to a limit and beyond it in a temporary file. Results do not depend on the
/// slicing.
struct StepSlices: Sendable {
  /// The storage of the steps of a slice.
  private enum Slice: Sendable {
    case held([StudyStep])
    case spilled(offset: Int, count: Int)
  }

  /// The approximate number of steps of a slice.
  static let sliceCount = 1 << 17
  /// The sampling rate of events, from which the slice boundaries are determined: one in this many.
  static let sampleStride = 256

  /// The tables that steps refer to.
  let tables: StudyTables
  /// The number of runs.
  let runCount: Int
  /// By bucket, the number of its first run.
  let firstRuns: [UInt32]
  private let slices: [Slice]
  private let file: TemporaryFile?

  /// Sorts the steps of several threads, which have the same slices.
  ///
  /// - Parameters:
  ///   - parts: The steps of each thread, which are freed as they are sorted.
  ///   - buckets: The number of buckets.
  ///   - jobs: The number of threads.
  ///   - folder: The folder for temporary files.
  /// - Throws: `LogError` if a temporary file fails.
  init(_ parts: consuming [StepPart], buckets: Int, jobs: Int, folder: String) throws {
    let unsorted = UnsortedSteps(parts, buckets: buckets)
    let count = unsorted.sliceCount
    let file = unsorted.isSpilled ? try UnitBuckets.makeFile(reporting: folder) : nil
    let slices = Monitor([Slice](repeating: .held([]), count: count))
    let queue = WorkQueue(count: count)
    _ = try Workers.run(max(1, min(jobs, count))) { _ in
      var sorter = StepSorter()
      while let number = queue.next() {
        let steps = sorter.sort(try unsorted.take(number), unsorted.units)
        try slices.withLock { slices in
          slices[number] = try file.map { try Self.spill(steps, to: $0) } ?? .held(steps)
        }
      }
    }
    tables = unsorted.tables
    runCount = unsorted.units.count
    firstRuns = unsorted.firstRuns
    self.file = file
    self.slices = slices.withLock { $0 }
  }

  private static func spill(_ steps: [StudyStep], to file: TemporaryFile) throws -> Slice {
    let offset = file.byteCount
    try file.write(steps, reporting: "a temporary file")
    return .spilled(offset: offset, count: steps.count)
  }

  /// Returns the times and units at which slices of about equal size begin, except for the first slice.
  static func cuts(_ samples: [StepKey]) -> [StepKey] {
    let sorted = samples.sorted()
    let stride = max(1, sliceCount / sampleStride)
    return Swift.stride(from: stride, to: sorted.count, by: stride).map { sorted[$0] }
  }

  /// Calls the closure with the sorted steps of each slice.
  ///
  /// - Throws: `LogError` if a temporary file cannot be read back.
  func forEach(_ body: (Span<StudyStep>) throws -> Void) throws {
    var steps: [StudyStep] = []
    var bytes: [UInt8] = []
    for slice in slices {
      switch slice {
      case .held(let steps): try body(steps.span)
      case .spilled(let offset, let count):
        guard let file else { continue }
        steps.removeAll(keepingCapacity: true)
        try file.read(count, StudyStep.self, at: offset, &bytes) { steps.append($0) }
        try body(steps.span)
      }
    }
  }
}

/// The steps of all threads until they are sorted, with the numbers that they have in common.
private final class UnsortedSteps: Sendable {
  private struct Base: Sendable {
    var runs: UInt32 = 0
    var options: UInt32 = 0
    var features: UInt32 = 0
  }

  /// The tables that steps refer to.
  let tables: StudyTables
  /// By run, the number by which units are ordered.
  let units: [UInt64]
  /// By bucket, the number of its first run.
  let firstRuns: [UInt32]
  let sliceCount: Int
  let isSpilled: Bool
  private let bases: [Base]
  private let parts: Monitor<[StepPart]>

  init(_ parts: consuming [StepPart], buckets: Int) {
    var (tables, units, bases, base) = (StudyTables(), [UInt64](), [Base](), Base())
    var firstRuns = [UInt32](repeating: 0, count: buckets)
    sliceCount = parts.first?.sliceCount ?? 0
    isSpilled = parts.contains(where: \.isSpilled)
    for number in parts.indices {
      let part = parts[number]
      bases.append(base)
      tables.options += part.tables.options
      tables.features += part.tables.features
      units += part.units
      for (bucket, first) in part.firstRuns { firstRuns[bucket] = base.runs &+ first }
      base = Base(
        runs: UInt32(truncatingIfNeeded: units.count),
        options: UInt32(truncatingIfNeeded: tables.options.count),
        features: UInt32(truncatingIfNeeded: tables.features.count))
    }
    (self.tables, self.units, self.firstRuns, self.bases) = (tables, units, firstRuns, bases)
    self.parts = Monitor(parts)
  }

  /// Returns the steps of a slice, which are not kept.
  func take(_ slice: Int) throws -> [StudyStep] {
    var steps: [StudyStep] = []
    var bytes: [UInt8] = []
    for number in bases.indices {
      let start = steps.count
      let stored = parts.withLock { $0[number].take(slice) }
      try stored.read(into: &steps, &bytes)
      for index in start..<steps.count { Self.move(&steps[index], by: bases[number]) }
    }
    return steps
  }

  @inline(__always)
  private static func move(_ step: inout StudyStep, by base: Base) {
    step.run &+= base.runs
    switch step.kind {
    case .define, .change: step.place &+= base.options
    case .features: step.place &+= base.features
    case .take, .novelTake, .encounter: break
    }
  }
}
