/// How a writer writes.
public struct LogOptions: Sendable {
  /// When columns are compressed with DEFLATE.
  public var profile: CompressionProfile
  /// A segment that has grown to as many bytes is ended, and the next one begun.
  public var segmentByteCount: UInt64
  /// Draws the id of a new log and the salt of each segment from this seed instead of the system's
  /// generator, so that the same events give the same bytes. For logs that nobody appends to by chance:
  /// two logs of the same seed have the same id.
  public var seed: UInt64?
  /// Who writes; another writer that is turned away is told so.
  public var holder: String
  /// How many events make a frame full. Tests set it low to have several frames between two commits.
  package var frameRowCount = FrameHeader.maximumRows

  /// Whether the log is new, or begins anew, and is not finished before the writer says so: see ``LogFilling``.
  var isFilling = false

  /// A segment that has ended with as many frames, most of them small, is compacted. Tests set it low.
  package var smallFrameCount = 256

  /// The usual options.
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

/// Where ids and salts come from.
enum SaltSource: RandomNumberGenerator {
  case system
  /// SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators",
  /// 2014, doi:10.1145/2660193.2660195). The log stands below the target with the generators for
  /// statistics, and this one line of arithmetic is all that it needs.
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
