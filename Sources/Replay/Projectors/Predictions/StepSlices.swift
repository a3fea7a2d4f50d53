internal import EventLog
internal import Prediction
internal import Threads

/// The steps of all runs in order of time, at equal times of the hashes of units, and within a unit as it was resolved,
/// in slices that are sorted one at a time.
///
/// Steps take 40 bytes each until they are sorted and 32 afterwards, in memory up to a limit and beyond it in a
/// temporary file. Results do not depend on the slicing.
struct StepSlices: Sendable {
  /// A step and its unit.
  struct PlacedStep: Sendable {
    var step: StudyStep
    /// The number by which units are ordered (`UnitHashes`).
    var unit: UInt64

    /// The sort key among all steps.
    var key: UInt128 { Self.key(step.time, unit) }

    static func key(_ time: Int64, _ unit: UInt64) -> UInt128 {
      UInt128(UInt64(bitPattern: time) ^ (1 << 63)) << 64 | UInt128(unit)
    }
  }

  /// The storage of the steps of a slice.
  private enum Slice: Sendable {
    case held([StudyStep])
    case spilled(offset: Int, count: Int)
  }

  /// The approximate number of steps of a slice.
  static let sliceCount = 1 << 19
  /// The sampling rate of steps, from which the slice boundaries are determined: one in this many.
  static let sampleStride = 256

  /// The tables that steps refer to.
  let tables: StudyTables
  private let slices: [Slice]
  private let file: TemporaryFile?

  /// Sorts the steps of several threads, which have the same slices.
  ///
  /// - Throws: `LogError` if a temporary file fails.
  init(_ parts: [Part], slices count: Int, jobs: Int, folder: String) throws {
    var tables = StudyTables()
    var bases: [(options: UInt32, features: UInt32)] = []
    for part in parts {
      bases.append(
        (
          UInt32(truncatingIfNeeded: tables.options.count),
          UInt32(truncatingIfNeeded: tables.features.count)
        ))
      tables.options += part.tables.options
      tables.features += part.tables.features
    }
    self.tables = tables
    let isSpilled = parts.contains(where: \.isSpilled)
    let file = isSpilled ? try UnitBuckets.makeFile(reporting: folder) : nil
    let next = Monitor((slice: 0, slices: [Slice](repeating: .held([]), count: count)))
    let sources = Array(zip(parts, bases))
    _ = try Workers.run(min(jobs, count)) { _ in
      var sorter = SliceSorter()
      while true {
        let slice = next.withLock { next in
          defer { next.slice += 1 }
          return next.slice
        }
        guard slice < count else { return }
        let steps = try sorter.sort(slice, of: sources)
        try next.withLock { next in
          next.slices[slice] = try file.map { try Self.spill(steps, to: $0) } ?? .held(steps)
        }
      }
    }
    self.file = file
    slices = next.withLock { $0.slices }
  }

  private static func spill(_ steps: [StudyStep], to file: TemporaryFile) throws -> Slice {
    let offset = file.byteCount
    // Safety: steps are plain bytes without references; the copy is made before the array is freed.
    let bytes = unsafe steps.withUnsafeBytes { unsafe [UInt8]($0) }
    do {
      try file.append(bytes)
    } catch {
      throw LogError(.inputOutput, error.description, path: "a temporary file")
    }
    return .spilled(offset: offset, count: steps.count)
  }

  /// Returns the keys at which slices of about equal size begin, except for the first slice.
  static func cuts(_ samples: [UInt128]) -> [UInt128] {
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

/// Sorts one slice at a time.
private struct SliceSorter {
  private var placed: [StepSlices.PlacedStep] = []
  private var order: [(key: UInt128, place: UInt32)] = []
  private var bytes: [UInt8] = []

  mutating func sort(
    _ slice: Int, of parts: [(StepSlices.Part, base: (options: UInt32, features: UInt32))]
  ) throws -> [StudyStep] {
    placed.removeAll(keepingCapacity: true)
    for (part, base) in parts {
      let start = placed.count
      try part.read(slice, into: &placed, &bytes)
      for index in start..<placed.count { Self.move(&placed[index].step, by: base) }
    }
    order.removeAll(keepingCapacity: true)
    for (place, placed) in placed.enumerated() {
      order.append((placed.key, UInt32(truncatingIfNeeded: place)))
    }
    // Ties are broken by index: equal keys are those of one unit, and so of one part.
    order.sort { a, b in a.key < b.key || a.key == b.key && a.place < b.place }
    return order.map { placed[Int($0.place)].step }
  }

  private static func move(_ step: inout StudyStep, by base: (options: UInt32, features: UInt32)) {
    switch step.kind {
    case .define, .change: step.place &+= base.options
    case .features: step.place &+= base.features
    case .take, .novelTake, .encounter: break
    }
  }
}

extension TemporaryFile {
  /// Appends values that this process wrote to the file from an array of them.
  ///
  /// - Throws: `LogError` if they cannot be read back.
  func read<Value: BitwiseCopyable>(
    _ count: Int, _ type: Value.Type, at offset: Int, _ bytes: inout [UInt8],
    _ body: (Value) -> Void
  ) throws {
    let stride = MemoryLayout<Value>.stride
    do {
      try read(count * stride, at: offset, into: &bytes)
    } catch {
      throw LogError(.inputOutput, error.description, path: "a temporary file")
    }
    // Safety: the bytes are those of exactly as many values, written by this process from an array of them.
    unsafe bytes.withUnsafeBytes { bytes in
      for index in 0..<count {
        body(unsafe bytes.loadUnaligned(fromByteOffset: index * stride, as: Value.self))
      }
    }
  }
}

extension StepSlices {
  /// The steps of the units that one thread resolved.
  struct Part: Sendable {
    /// The location of some steps of a slice in the file.
    private struct Stretch: Sendable {
      var offset: Int
      var count: Int
    }

    /// The tables that steps refer to.
    var tables = StudyTables()
    private let cuts: [UInt128]
    private let memoryLimit: Int
    private let folder: String
    private var held: [[PlacedStep]]
    private var heldCount = 0
    private var file: TemporaryFile?
    private var spilled: [[Stretch]]

    /// Whether steps were spilled to the file.
    var isSpilled: Bool { file != nil }

    init(cuts: [UInt128], memoryLimit: Int, folder: String) {
      self.cuts = cuts
      self.memoryLimit = memoryLimit
      self.folder = folder
      held = Array(repeating: [], count: cuts.count + 1)
      spilled = Array(repeating: [], count: cuts.count + 1)
    }

    /// Appends a step; steps with equal keys must come in order.
    mutating func add(_ step: StudyStep, _ unit: UInt64) throws {
      let placed = PlacedStep(step: step, unit: unit)
      held[slice(placed.key)].append(placed)
      heldCount += 1
      if heldCount > memoryLimit / MemoryLayout<PlacedStep>.stride { try spill() }
    }

    private func slice(_ key: UInt128) -> Int {
      var (low, high) = (0, cuts.count)
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
        // Safety: steps are plain bytes without references; the copy is made before the array changes.
        let bytes = unsafe held[slice].withUnsafeBytes { unsafe [UInt8]($0) }
        do {
          try file.append(bytes)
        } catch {
          throw LogError(.inputOutput, error.description, path: folder)
        }
        held[slice].removeAll()
      }
      heldCount = 0
    }

    /// Appends the steps of a slice to an array, in the order in which they were added.
    func read(_ slice: Int, into steps: inout [PlacedStep], _ bytes: inout [UInt8]) throws {
      for stretch in spilled[slice] {
        try file?.read(stretch.count, PlacedStep.self, at: stretch.offset, &bytes) {
          steps.append($0)
        }
      }
      steps += held[slice]
    }
  }
}
