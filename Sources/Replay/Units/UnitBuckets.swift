internal import EventLog

/// Events of units, divided by the rest that the unit's code leaves, each part in the order of the log; those for which
/// memory has no room are in a temporary file without a name.
struct UnitBuckets: Sendable {
  /// Where in the file some events of a bucket stand.
  private struct Chunk: Sendable {
    var bucket: Int32
    var count: Int32
    var offset: Int
  }

  private var buckets: [[UnitEvent]]
  private var chunks: [Chunk] = []
  private var file: TemporaryFile?
  private var held = 0

  init(count: Int) {
    buckets = Array(repeating: [], count: max(1, count))
  }

  /// How many bytes are held in memory; arrays that grow may take as much again.
  var byteCount: Int { held * MemoryLayout<UnitEvent>.stride }

  /// How many bytes are in the temporary file.
  var spilledByteCount: Int { file?.byteCount ?? 0 }

  @inline(__always)
  mutating func append(_ event: UnitEvent) {
    buckets[Int(event.unit) % buckets.count].append(event)
    held += 1
  }

  /// Moves all events to the file.
  ///
  /// - Parameter folder: Where the file is made the first time; the system's own folder for temporary files where that
  ///   may not be written.
  /// - Throws: `LogError` when the disk does not take them.
  mutating func spill(to folder: String) throws {
    do {
      let file = try self.file ?? Self.makeFile(in: folder)
      self.file = file
      for bucket in buckets.indices where !buckets[bucket].isEmpty {
        chunks.append(
          Chunk(
            bucket: Int32(bucket), count: Int32(buckets[bucket].count), offset: file.byteCount))
        // Safety: events are plain bytes without references; the copy is made before the array changes.
        let bytes = unsafe buckets[bucket].withUnsafeBytes { unsafe [UInt8]($0) }
        try file.append(bytes)
        buckets[bucket].removeAll(keepingCapacity: true)
      }
    } catch let error as FingerprintMapError {
      throw LogError(.inputOutput, error.description, path: folder)
    }
    held = 0
  }

  private static func makeFile(in folder: String) throws(FingerprintMapError) -> TemporaryFile {
    do throws(FingerprintMapError) {
      return try TemporaryFile(directory: folder)
    } catch {
      return try TemporaryFile(directory: "/tmp")
    }
  }

  /// Appends the events of a bucket to an array, in the order of the log.
  ///
  /// - Throws: `LogError` when the file cannot be read back.
  func read(_ bucket: Int, into events: inout [UnitEvent], _ bytes: inout [UInt8]) throws {
    for chunk in chunks where chunk.bucket == bucket {
      guard let file else { continue }
      let count = Int(chunk.count) * MemoryLayout<UnitEvent>.stride
      do {
        try file.read(count, at: chunk.offset, into: &bytes)
      } catch {
        throw LogError(.inputOutput, error.description, path: "a temporary file")
      }
      // Safety: the bytes are those of as many events, written by this process from an array of them.
      unsafe bytes.withUnsafeBytes { bytes in
        for index in 0..<Int(chunk.count) {
          let offset = index * MemoryLayout<UnitEvent>.stride
          events.append(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UnitEvent.self))
        }
      }
    }
    events += buckets[bucket]
  }
}
