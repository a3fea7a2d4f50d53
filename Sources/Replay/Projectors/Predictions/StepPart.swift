internal import EventLog
internal import Prediction

/// The steps of the units that one thread resolved, by slice, in the order in which they were added.
struct StepPart: Sendable {
  /// The location of some steps of a slice in the file.
  fileprivate struct Stretch: Sendable {
    var offset: Int
    var count: Int
  }

  /// The steps of a slice.
  struct Stored: Sendable {
    fileprivate var stretches: [Stretch]
    fileprivate var held: [StudyStep]
    fileprivate var file: TemporaryFile?

    /// Appends the steps to an array.
    ///
    /// - Throws: `LogError` if they cannot be read back.
    func read(into steps: inout [StudyStep], _ bytes: inout [UInt8]) throws {
      for stretch in stretches {
        try file?.read(stretch.count, StudyStep.self, at: stretch.offset, &bytes) {
          steps.append($0)
        }
      }
      steps += held
    }
  }

  /// The tables that steps refer to.
  var tables = StudyTables()
  /// By run, the number by which units are ordered.
  private(set) var units: [UInt64] = []
  /// The number of the first run of each bucket.
  private(set) var firstRuns: [(bucket: Int, run: UInt32)] = []
  private let cuts: [StepKey]
  private let memoryLimit: Int
  private let folder: String
  private var held: [[StudyStep]]
  private var heldCount = 0
  private var file: TemporaryFile?
  private var spilled: [[Stretch]]

  /// Whether steps were spilled to the file.
  var isSpilled: Bool { file != nil }
  var sliceCount: Int { held.count }

  init(cuts: [StepKey], memoryLimit: Int, folder: String) {
    self.cuts = cuts
    self.memoryLimit = memoryLimit
    self.folder = folder
    held = Array(repeating: [], count: cuts.count + 1)
    spilled = Array(repeating: [], count: cuts.count + 1)
  }

  /// Begins with the units of a bucket.
  mutating func begin(bucket: Int) {
    firstRuns.append((bucket, UInt32(truncatingIfNeeded: units.count)))
  }

  /// Appends the steps of a unit, in order of time, with runs numbered from 0.
  mutating func add(_ steps: [StudyStep], runs: Int, of unit: UInt64) throws {
    let base = UInt32(truncatingIfNeeded: units.count)
    for _ in 0..<runs { units.append(unit) }
    var slice = 0
    for var step in steps {
      step.run &+= base
      let key = StepKey(time: step.time, unit: unit)
      // Configurations of everyone can be earlier than the steps before them.
      if slice > 0, key < cuts[slice - 1] { slice = 0 }
      if slice < cuts.count, cuts[slice] <= key { slice = self.slice(key, from: slice + 1) }
      held[slice].append(step)
    }
    heldCount += steps.count
    if heldCount > memoryLimit / MemoryLayout<StudyStep>.stride { try spill() }
  }

  /// Returns the slice of a key that is not in those before the first.
  private func slice(_ key: StepKey, from first: Int) -> Int {
    var (low, high) = (first, cuts.count)
    while low < high {
      let middle = (low + high) / 2
      if cuts[middle] <= key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func spill() throws {
    let file = try self.file ?? UnitBuckets.makeFile(reporting: folder)
    self.file = file
    for slice in held.indices where !held[slice].isEmpty {
      spilled[slice].append(Stretch(offset: file.byteCount, count: held[slice].count))
      try file.write(held[slice], reporting: folder)
      held[slice].removeAll()
    }
    heldCount = 0
  }

  /// Removes the steps of a slice, and returns them.
  mutating func take(_ slice: Int) -> Stored {
    defer { held[slice] = [] }
    return Stored(stretches: spilled[slice], held: held[slice], file: file)
  }
}
