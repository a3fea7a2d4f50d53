internal import EventLog

/// Events of units, partitioned by the lowest bits of the unit's code, each part in log order. Events beyond the
/// memory limit spill to an anonymous temporary file.
///
/// Events are collected until there are some ten thousand, and then sorted by bucket while they are in the processor's
/// cache: a *run*. A bucket is read from all runs in turn.
struct UnitBuckets: Sendable {
  private struct Run: Sendable {
    /// The memory with the events; nil if they are in the file.
    var slab: EventSlab?
    /// The place of the first event in the slab, or the offset in the file.
    var offset: Int
    /// The start of each bucket in the run; the last entry is the end.
    var starts: [UInt32]

    var count: Int { Int(starts.last ?? 0) }

    /// Returns where the events of a bucket are in the run.
    @inline(__always)
    func range(of bucket: Int) -> Range<Int> { Int(starts[bucket])..<Int(starts[bucket + 1]) }
  }

  /// The number of events after which a run is made, at the end of the batch that reached it.
  private static let runCount = 1 << 15

  /// The number of buckets, a power of two.
  let count: Int
  /// The events since the last run, in log order.
  var arrived: [UnitEvent] = []
  private var runs: [Run] = []
  /// The slab of the latest runs, and the number of events in it.
  private var slab: EventSlab?
  private var slabCount = 0
  /// The temporary file, which buckets of one thread may have in common; nil until events were spilled.
  var file: TemporaryFile?
  private var held = 0

  /// Creates buckets.
  ///
  /// - Parameters:
  ///   - count: The number of buckets.
  ///   - isOneOfMany: Whether there may be few events, because there are many such instances.
  init(count: Int, isOneOfMany: Bool = false) {
    self.count = Self.bucketCount(atLeast: count)
    if !isOneOfMany { arrived.reserveCapacity(Self.runCount) }
  }

  /// Returns the smallest power of two that is not below a number of buckets.
  static func bucketCount(atLeast count: Int) -> Int {
    count <= 1 ? 1 : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
  }

  /// The number of bytes held in memory.
  var byteCount: Int { (held + arrived.count) * MemoryLayout<UnitEvent>.stride }

  /// The number of events.
  var eventCount: Int { runs.reduce(arrived.count) { $0 + $1.count } }

  /// The number of bytes in the temporary file.
  var spilledByteCount: Int { file?.byteCount ?? 0 }

  /// Makes a run of the arrived events if there are enough of them, or of all because they are the last for now.
  mutating func settle(atOnce: Bool = false) {
    guard arrived.count >= (atOnce ? 1 : Self.runCount) else { return }
    let mask = UInt32(count - 1)
    var starts = [UInt32](repeating: 0, count: count + 1)
    for event in arrived { starts[Int(event.unit & mask) + 1] += 1 }
    for bucket in 0..<count { starts[bucket + 1] += starts[bucket] }
    let (slab, offset) = room(for: arrived.count, isLast: atOnce)
    var next = starts
    // Safety: the starts add up to the number of events, so each of them is written to a place of its own below it.
    unsafe slab.fill(offset..<offset + arrived.count) { sorted in
      for event in arrived {
        let bucket = Int(event.unit & mask)
        unsafe (sorted + Int(next[bucket])).initialize(to: event)
        next[bucket] += 1
      }
    }
    runs.append(Run(slab: slab, offset: offset, starts: starts))
    held += arrived.count
    arrived.removeAll(keepingCapacity: !atOnce)
  }

  /// Returns a slab with room for a run, and the place of the run in it.
  private mutating func room(for count: Int, isLast: Bool) -> (EventSlab, offset: Int) {
    if let slab, slab.capacity - slabCount >= count {
      defer { slabCount += count }
      return (slab, slabCount)
    }
    let slab = EventSlab(atLeast: count, isLast: isLast)
    self.slab = slab
    slabCount = count
    return (slab, 0)
  }

  /// Moves all events to the file, which is created on first use: in the folder, or in the system's own for temporary
  /// files if the folder is not writable.
  ///
  /// - Throws: `LogError` if writing fails.
  mutating func spill(to folder: String) throws {
    settle(atOnce: true)
    do {
      let file = try self.file ?? Self.makeFile(in: folder)
      self.file = file
      for index in runs.indices {
        guard let slab = runs[index].slab else { continue }
        let start = runs[index].offset
        // Safety: events are plain bytes without references, which are copied within the call.
        let bytes = unsafe slab.read(start..<start + runs[index].count) {
          unsafe [UInt8](UnsafeRawBufferPointer($0))
        }
        runs[index].offset = file.byteCount
        try file.append(bytes)
        runs[index].slab = nil
      }
      slab = nil
    } catch let error as FingerprintMapError {
      throw LogError(.inputOutput, error.description, path: folder)
    }
    held = 0
  }

  /// Creates the temporary file; an error names the folder.
  static func makeFile(reporting folder: String) throws(LogError) -> TemporaryFile {
    do throws(FingerprintMapError) {
      return try makeFile(in: folder)
    } catch {
      throw LogError(.inputOutput, error.description, path: folder)
    }
  }

  private static func makeFile(in folder: String) throws(FingerprintMapError) -> TemporaryFile {
    do throws(FingerprintMapError) {
      return try TemporaryFile(directory: folder)
    } catch {
      return try TemporaryFile(directory: "/tmp")
    }
  }

  /// Returns the number of events of a bucket. Everything must be settled.
  func eventCount(ofBucket bucket: Int) -> Int { runs.reduce(0) { $0 + $1.range(of: bucket).count } }

  /// Calls the closure with the events of a bucket, run by run in log order. Everything must be settled, and nothing
  /// in the file.
  @inline(__always)
  func forEachRun(_ bucket: Int, _ body: (UnsafeBufferPointer<UnitEvent>) -> Void) {
    for run in runs {
      let range = run.range(of: bucket)
      guard !range.isEmpty, let slab = run.slab else { continue }
      // Safety: the pointer is used within the call.
      unsafe slab.read(run.offset + range.lowerBound..<run.offset + range.upperBound) {
        unsafe body($0)
      }
    }
  }

  /// Appends the events of a bucket to an array, in log order. Everything must be settled.
  ///
  /// - Throws: `LogError` if the file cannot be read back.
  func read(_ bucket: Int, into events: inout [UnitEvent], _ bytes: inout [UInt8]) throws {
    for run in runs {
      let range = run.range(of: bucket)
      guard !range.isEmpty else { continue }
      if let slab = run.slab {
        // Safety: the events are copied within the call.
        unsafe slab.read(run.offset + range.lowerBound..<run.offset + range.upperBound) {
          unsafe events.append(contentsOf: $0)
        }
      } else {
        let start = run.offset + range.lowerBound * MemoryLayout<UnitEvent>.stride
        try file?.read(range.count, UnitEvent.self, at: start, &bytes) { events.append($0) }
      }
    }
  }
}
