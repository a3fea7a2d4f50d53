/// Gives codes to units without keeping their names: a log may have more units than fit into memory.
///
/// A unit is known by 128 bits of its name, of which those beyond a bound are sorted out to temporary files
/// in the log's folder. Two units of the same 128 bits would be taken for one; with a billion units the
/// probability that any two are is below 1e-20.
struct UnitRegister {
  private let path: String
  private let key: FingerprintKey
  private var codes: FingerprintMap
  private var count: UInt32 = 0
  private var pending = TextList()
  private var lastName: [UInt8] = []
  /// The code of `lastName`; 0 before the first unit.
  private var lastCode: UInt32 = 0

  /// Counts what was touched, so that no compiler finds touching useless.
  private var touched: UInt64 = 0

  /// A register without units.
  ///
  /// - Parameters:
  ///   - path: The folder of the log.
  ///   - key: Makes fingerprints unpredictable; they never leave the process.
  ///   - memoryCapacity: How many units stay in memory, at 32 to 64 bytes each.
  init(path: String, key: FingerprintKey = .random(), memoryCapacity: Int = 1 << 20) {
    self.path = path
    self.key = key
    codes = FingerprintMap(directory: path, memoryCapacity: memoryCapacity)
  }

  /// How many bytes of names no frame has yet.
  var unpublishedBytes: Int { pending.bytes.count }

  /// The units that no frame has yet, and the code of the first.
  var unpublished: (firstCode: UInt32, names: TextList)? {
    pending.count == 0 ? nil : (count + 1 - UInt32(pending.count), pending)
  }

  mutating func publishAll() {
    pending.removeAll()
  }

  /// The code that the next new unit will get.
  var nextCode: UInt32 { count + 1 }

  /// Takes the unit of the next code as it is read back; nil when the code's name was erased.
  ///
  /// - Returns: Whether the unit is new.
  /// - Throws: ``LogError`` when a temporary file fails.
  mutating func take(_ name: ArraySlice<UInt8>?) throws(LogError) -> Bool {
    let before = count
    if let name { _ = try code(of: name.span) } else { count += 1 }
    pending.removeAll()
    return count == before + 1
  }

  /// The code of a unit, a new one if it was not there.
  mutating func code(of name: Span<UInt8>) throws(LogError) -> UInt32 {
    if lastCode != 0, NameBytes.areEqual(lastName.span, name) { return lastCode }
    lastCode = try code(of: name, fingerprint(of: name))
    lastName.replace(with: name)
    return lastCode
  }

  /// The code of a unit, a new one if it was not there; the fingerprint is what ``fingerprint(of:)`` answers for the
  /// name.
  mutating func code(
    of name: Span<UInt8>, _ fingerprint: Fingerprint
  ) throws(LogError) -> UInt32 {
    do throws(FingerprintMapError) {
      if let known = try codes.value(for: fingerprint) { return known }
      try codes.set(count + 1, for: fingerprint)
    } catch {
      throw LogError(.inputOutput, error.description, path: path)
    }
    count += 1
    pending.append(name)
    return count
  }

  /// The 128 bits by which a unit is known.
  func fingerprint(of name: Span<UInt8>) -> Fingerprint {
    SipHash.hash(name, key: key)
  }

  /// Has the processor fetch where the units stand.
  mutating func touch(_ fingerprints: [Fingerprint]) {
    for fingerprint in fingerprints { touched &+= codes.touch(fingerprint) }
  }
}
