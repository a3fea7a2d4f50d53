/// Assigns codes to units without keeping their names, because a log may have more units than fit into memory.
///
/// A unit is identified by a 128-bit fingerprint of its name; fingerprints beyond a limit spill to temporary files in
/// the log's folder. Two units with the same fingerprint would be treated as one; with a billion units the probability
/// that any two collide is below 1e-20.
struct UnitRegister {
  private let path: String
  private let key: FingerprintKey
  private var codes: FingerprintMap
  private var count: UInt32 = 0
  private var pending = TextList()
  private var lastName: [UInt8] = []
  /// The code of `lastName`; 0 before the first unit.
  private var lastCode: UInt32 = 0

  /// Creates an empty register.
  ///
  /// - Parameters:
  ///   - path: The folder of the log.
  ///   - key: The key that makes fingerprints unpredictable; it never leaves the process.
  ///   - memoryCapacity: The number of units kept in memory, at 32 to 64 bytes each.
  init(path: String, key: FingerprintKey = .random(), memoryCapacity: Int = 1 << 20) {
    self.path = path
    self.key = key
    codes = FingerprintMap(directory: path, memoryCapacity: memoryCapacity)
  }

  /// The size in bytes of the names that no frame contains yet.
  var unpublishedBytes: Int { pending.bytes.count }

  /// The units that no frame contains yet, and the code of the first.
  var unpublished: (firstCode: UInt32, names: TextList)? {
    pending.count == 0 ? nil : (count + 1 - UInt32(pending.count), pending)
  }

  mutating func publishAll() {
    pending.removeAll()
  }

  /// The code of the next new unit.
  var nextCode: UInt32 { count + 1 }

  /// Adds the unit of the next code as it is read back; nil if the code's name was erased.
  ///
  /// - Returns: Whether the unit is new.
  /// - Throws: ``LogError`` if a temporary file fails.
  mutating func take(_ name: ArraySlice<UInt8>?) throws(LogError) -> Bool {
    let before = count
    if let name { _ = try code(of: name.span) } else { count += 1 }
    pending.removeAll()
    return count == before + 1
  }

  /// Returns the code of a unit, assigning a new one if needed.
  mutating func code(of name: Span<UInt8>) throws(LogError) -> UInt32 {
    if lastCode != 0, NameBytes.areEqual(lastName.span, name) { return lastCode }
    lastCode = try code(of: name, fingerprint(of: name))
    lastName.replace(with: name)
    return lastCode
  }

  /// Returns the code of a unit, assigning a new one if needed; the fingerprint must be that of ``fingerprint(of:)``
  /// for the name.
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

  /// Returns the fingerprint that identifies a unit.
  func fingerprint(of name: Span<UInt8>) -> Fingerprint {
    var hash = FoldedHash(key: key)
    hash.absorb(name)
    return hash.result()
  }

  /// Prefetches the table slots of units into the cache.
  func prefetch(_ fingerprints: [Fingerprint]) {
    for fingerprint in fingerprints { codes.prefetch(fingerprint) }
  }
}
