internal import EventLog
internal import Prediction

/// The steps of all runs in the order of time, and at equal times of the log, in slices of which one after the other is put
/// in order.
///
/// Steps take 40 bytes each, in memory up to a limit and beyond it in a temporary file. How they are sliced shows in no
/// result.
struct StepSlices: Sendable {
  /// A step and where it stands in the log.
  struct PlacedStep: Sendable {
    var step: StudyStep
    var position: UInt64

    /// The place among all steps.
    var key: UInt128 { Self.key(step.time, position) }

    static func key(_ time: Int64, _ position: UInt64) -> UInt128 {
      UInt128(UInt64(bitPattern: time) ^ (1 << 63)) << 64 | UInt128(position)
    }
  }

  /// About so many steps make a slice.
  static let sliceCount = 1 << 19
  /// One of so many steps is looked at to find where slices begin.
  static let sampleStride = 256

  /// What the steps point at.
  private(set) var tables = StudyTables()
  private let parts: [Part]
  /// For each part, where its tables begin among all.
  private var bases: [(options: UInt32, features: UInt32)] = []
  let count: Int

  /// Puts the parts of several threads together, which have the same slices.
  init(_ parts: [Part], slices: Int) {
    for part in parts {
      bases.append(
        (
          UInt32(truncatingIfNeeded: tables.options.count),
          UInt32(truncatingIfNeeded: tables.features.count)
        ))
      tables.options += part.tables.options
      tables.features += part.tables.features
    }
    self.parts = parts
    count = slices
  }

  /// The keys with which slices begin that have about as many steps each, the first slice's left out.
  static func cuts(_ samples: [UInt128]) -> [UInt128] {
    let sorted = samples.sorted()
    let stride = max(1, sliceCount / sampleStride)
    return Swift.stride(from: stride, to: sorted.count, by: stride).map { sorted[$0] }
  }

  /// Calls the closure with the steps of each slice in order.
  ///
  /// - Throws: `LogError` when a temporary file cannot be read back.
  func forEach(_ body: (Span<StudyStep>) throws -> Void) throws {
    var placed: [PlacedStep] = []
    var steps: [StudyStep] = []
    var bytes: [UInt8] = []
    for slice in 0..<count {
      placed.removeAll(keepingCapacity: true)
      for (part, base) in zip(parts, bases) {
        let start = placed.count
        try part.read(slice, into: &placed, &bytes)
        for index in start..<placed.count { Self.move(&placed[index].step, by: base) }
      }
      // The place decides among equal keys, which are those of one unit and so of one part.
      let order = placed.indices.map { (key: placed[$0].key, place: $0) }.sorted {
        ($0.key, $0.place) < ($1.key, $1.place)
      }
      steps.removeAll(keepingCapacity: true)
      for (_, place) in order { steps.append(placed[place].step) }
      try body(steps.span)
    }
  }

  private static func move(_ step: inout StudyStep, by base: (options: UInt32, features: UInt32)) {
    switch step.kind {
    case .define, .change: step.place &+= base.options
    case .features: step.place &+= base.features
    case .take, .novelTake, .encounter: break
    }
  }
}

extension StepSlices {
  /// The steps of the units that one thread resolved.
  struct Part: Sendable {
    /// Where in the file a slice has steps.
    private struct Stretch: Sendable {
      var offset: Int
      var count: Int
    }

    /// What the steps point at.
    var tables = StudyTables()
    private let cuts: [UInt128]
    private let memoryLimit: Int
    private let folder: String
    private var held: [[PlacedStep]]
    private var heldCount = 0
    private var file: TemporaryFile?
    private var spilled: [[Stretch]]

    init(cuts: [UInt128], memoryLimit: Int, folder: String) {
      self.cuts = cuts
      self.memoryLimit = memoryLimit
      self.folder = folder
      held = Array(repeating: [], count: cuts.count + 1)
      spilled = Array(repeating: [], count: cuts.count + 1)
    }

    /// Takes a step; those of equal keys in their order.
    mutating func add(_ step: StudyStep, _ position: UInt64) throws {
      let placed = PlacedStep(step: step, position: position)
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
      do {
        let file = try self.file ?? UnitBuckets.makeFile(in: folder)
        self.file = file
        for slice in held.indices where !held[slice].isEmpty {
          spilled[slice].append(Stretch(offset: file.byteCount, count: held[slice].count))
          // Safety: steps are plain bytes without references; the copy is made before the array changes.
          let bytes = unsafe held[slice].withUnsafeBytes { unsafe [UInt8]($0) }
          try file.append(bytes)
          held[slice].removeAll()
        }
      } catch let error as FingerprintMapError {
        throw LogError(.inputOutput, error.description, path: folder)
      }
      heldCount = 0
    }

    /// Appends the steps of a slice, in the order in which they were added.
    func read(_ slice: Int, into steps: inout [PlacedStep], _ bytes: inout [UInt8]) throws {
      let stride = MemoryLayout<PlacedStep>.stride
      for stretch in spilled[slice] {
        guard let file else { return }
        do {
          try file.read(stretch.count * stride, at: stretch.offset, into: &bytes)
        } catch {
          throw LogError(.inputOutput, error.description, path: "a temporary file")
        }
        // Safety: the bytes are those of as many steps, written by this process from an array of them.
        unsafe bytes.withUnsafeBytes { bytes in
          for index in 0..<stretch.count {
            steps.append(
              unsafe bytes.loadUnaligned(fromByteOffset: index * stride, as: PlacedStep.self))
          }
        }
      }
      steps += held[slice]
    }
  }
}
