/// Options of a log writer.
public struct LogOptions: Sendable {
  /// When columns are compressed with DEFLATE.
  public var profile: CompressionProfile
  /// The size in bytes at which a segment is ended, and the next one begun.
  public var segmentByteCount: UInt64
  /// The seed of the id of a new log and of the salt of each segment, instead of the system's generator, so that the
  /// same events give the same bytes, once the writer is released: it then waits until the ended segments are
  /// compacted. Only for logs that are not appended to independently: two logs of the same seed have the same id.
  public var seed: UInt64?
  /// A description of the writer, shown to other writers while it holds the lock.
  public var holder: String
  /// The maximum number of events of a frame. Tests set it low to have several frames between two commits.
  package var frameRowCount = FrameHeader.maximumRows

  /// Whether the log is new, or starts over, and is not finished until the writer marks it as such: see
  /// ``LogFilling``.
  var isFilling = false

  /// The number of frames from which an ended segment, if most of them are small, is compacted. Tests set it low.
  package var smallFrameCount = 256

  /// Who compacts ended segments.
  var compacting = EndedSegments.Worker.thread

  /// Creates options with the usual defaults.
  public init(
    profile: CompressionProfile = .balanced, segmentByteCount: UInt64 = 64 << 20,
    seed: UInt64? = nil, holder: String = ""
  ) {
    self.profile = profile
    self.segmentByteCount = segmentByteCount
    self.seed = seed
    self.holder = holder
  }
}

/// The source of ids and salts.
enum SaltSource: RandomNumberGenerator {
  case system
  /// SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", 2014,
  /// doi:10.1145/2660193.2660195). This module is below the one with the statistical generators, and needs only this
  /// one line of arithmetic.
  case seeded(UInt64)

  init(seed: UInt64?) {
    self = seed.map { .seeded($0) } ?? .system
  }

  mutating func next() -> UInt64 {
    guard case .seeded(let state) = self else {
      var system = SystemRandomNumberGenerator()
      return system.next()
    }
    let advanced = state &+ 0x9E37_79B9_7F4A_7C15
    self = .seeded(advanced)
    var mixed = (advanced ^ (advanced >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
