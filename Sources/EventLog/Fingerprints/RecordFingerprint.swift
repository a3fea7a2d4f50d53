package import Events

/// Computes 128-bit fingerprints that identify events: by kind, id and slot if there is an id, otherwise by their whole
/// content.
///
/// The hash is SipHash-2-4-128 over a canonical form of 64-bit words, which is different for any two
/// different events:
///
/// - text: up to 7 bytes: one word with the length in its top byte and the bytes below, the first
///   lowest; longer: a word with 255 in its top byte and the length below, then the bytes in
///   little-endian words, the last padded with zeros
/// - number: the bits of the `Double`, with -0 as 0; whole number: the bits of the `Int64`
/// - value: a word 1 number, 2 whole number, 3 text, 4 false, 5 true, then its content
/// - attributes: a JSON object has no order, so each name and value is hashed by itself, and the count
///   and the sum of the hashes are used; likewise for the groups of features
///
/// The identity of an event with an id is a word with the kind and whether it has a slot, then the id and the slot,
/// since the slots of an event share its id. The content is a word with 1, kind, status, the negative flag and a bit
/// for each field that is present; the time; and each of those fields in the order of ``EventRecord``. That of an event
/// with an id is only compared with others of the same identity, so a faster hash of 64 bits is enough for it.
package struct RecordFingerprint: Sendable {
  private let key: FingerprintKey

  /// Creates a function that computes fingerprints under a key.
  package init(key: FingerprintKey) {
    self.key = key
  }

  /// Returns the fingerprint that identifies an event.
  ///
  /// - Complexity: O(length of its texts and lists), without allocation.
  package func callAsFunction(_ record: borrowing EventRecord) -> Fingerprint {
    var hash = SipHash(key: key)
    if record[.id].isPresent {
      let hasSlot = record[.slot].isPresent
      hash.absorb(Self.header(kind: record.kind.rawValue, hasSlot: hasSlot))
      absorb(record[.id], of: record, into: &hash)
      if hasSlot { absorb(record[.slot], of: record, into: &hash) }
    } else {
      absorbContent(of: record, into: &hash)
    }
    return hash.result()
  }

  /// Returns the fingerprint that identifies an event of a kind with an id, and a slot if it has one.
  func identity(kind: UInt8, id: ArraySlice<UInt8>, slot: ArraySlice<UInt8>?) -> Fingerprint {
    var hash = SipHash(key: key)
    hash.absorb(Self.header(kind: kind, hasSlot: slot != nil))
    let id = Array(id)
    absorb(id.indices, of: id, into: &hash)
    if let slot = slot.map({ Array($0) }) { absorb(slot.indices, of: slot, into: &hash) }
    return hash.result()
  }

  /// Returns the identity of an event with an id, and a hash of its content.
  package func identity(of record: borrowing EventRecord) -> EventIdentity {
    EventIdentity(self(record), content: content(of: record))
  }

  private static func header(kind: UInt8, hasSlot: Bool) -> UInt64 {
    UInt64(kind) << 8 | (hasSlot ? 2 : 0)
  }

  /// Returns a keyed hash of everything that an event says.
  ///
  /// - Complexity: O(length of its texts and lists), without allocation.
  package func content(of record: borrowing EventRecord) -> UInt64 {
    var hash = FoldedHash(key: key)
    absorbContent(of: record, into: &hash)
    return hash.result().high
  }

  private func absorbContent<Hash: WordHash>(
    of record: borrowing EventRecord, into hash: inout Hash
  ) {
    hash.absorb(header(of: record))
    hash.absorb(UInt64(bitPattern: record.time.microseconds))
    for slice in record.texts where slice.isPresent { absorb(slice, of: record, into: &hash) }
    if let number = record.propensity { hash.absorb(bits(number)) }
    if let number = record.value { hash.absorb(bits(number)) }
    if let number = record.revenue { hash.absorb(bits(number)) }
    if let value = record.dataValue { absorb(value, of: record, into: &hash) }
    if record.hasChoices { absorb(record.choices, of: record, into: &hash) }
    if record.hasProbabilities {
      hash.absorb(UInt64(record.probabilities.count))
      for number in record.probabilities { hash.absorb(bits(number)) }
    }
    if record.hasChanged { absorb(record.changed, of: record, into: &hash) }
    if record.hasContext { absorb(record.context[...], of: record, into: &hash) }
    if record.hasFeatures { absorbFeatures(of: record, into: &hash) }
    if record.hasMetadata { absorb(record.metadata[...], of: record, into: &hash) }
  }

  private func header(of record: borrowing EventRecord) -> UInt64 {
    var word: UInt64 = 1 | UInt64(record.kind.rawValue) << 8
    word |= UInt64(record.status?.rawValue ?? 0) << 16
    word |= (record.negative.map { $0 ? 2 : 1 } ?? 0) << 24
    var bit: UInt64 = 1 << 26
    func note(_ isPresent: Bool) {
      if isPresent { word |= bit }
      bit <<= 1
    }
    note(record.propensity != nil)
    note(record.value != nil)
    note(record.revenue != nil)
    note(record.dataValue != nil)
    note(record.hasChoices)
    note(record.hasProbabilities)
    note(record.hasChanged)
    note(record.hasContext)
    note(record.hasFeatures)
    note(record.hasMetadata)
    for slice in record.texts { note(slice.isPresent) }
    return word
  }

  private func absorb<Hash: WordHash>(
    _ list: [EventRecord.Slice], of record: borrowing EventRecord, into hash: inout Hash
  ) {
    hash.absorb(UInt64(list.count))
    for slice in list { absorb(slice, of: record, into: &hash) }
  }

  private func absorb<Hash: WordHash>(
    _ attributes: ArraySlice<EventRecord.Attribute>, of record: borrowing EventRecord,
    into hash: inout Hash
  ) {
    var sum = Sum()
    for attribute in attributes {
      var own = Hash(key: key)
      absorb(attribute.name, of: record, into: &own)
      absorb(attribute.value, of: record, into: &own)
      sum.add(own.result())
    }
    sum.end(&hash)
  }

  private func absorbFeatures<Hash: WordHash>(
    of record: borrowing EventRecord, into hash: inout Hash
  ) {
    var sum = Sum()
    var next = 0
    for group in record.featureGroups {
      var own = Hash(key: key)
      absorb(group.variant, of: record, into: &own)
      let end = min(next + max(0, group.count), record.features.count)
      absorb(record.features[next..<end], of: record, into: &own)
      next = end
      sum.add(own.result())
    }
    sum.end(&hash)
  }

  private func absorb<Hash: WordHash>(
    _ value: EventRecord.Value, of record: borrowing EventRecord, into hash: inout Hash
  ) {
    switch value {
    case .number(let number):
      hash.absorb(1)
      hash.absorb(bits(number))
    case .integer(let integer) where integer.magnitude <= 1 << 53:
      // The same value as a number: see `AttributeValue`.
      hash.absorb(1)
      hash.absorb(bits(Double(integer)))
    case .integer(let integer):
      hash.absorb(2)
      hash.absorb(UInt64(bitPattern: integer))
    case .text(let slice):
      hash.absorb(3)
      absorb(slice, of: record, into: &hash)
    case .flag(let flag): hash.absorb(flag ? 5 : 4)
    }
  }

  private func absorb<Hash: WordHash>(
    _ slice: EventRecord.Slice, of record: borrowing EventRecord, into hash: inout Hash
  ) {
    absorb(slice.range, of: record.bytes, into: &hash)
  }

  private func absorb<Hash: WordHash>(
    _ range: Range<Int>, of bytes: [UInt8], into hash: inout Hash
  ) {
    if range.count <= 7 {
      hash.absorb(UInt64(range.count) << 56 | word(at: range, in: bytes))
      return
    }
    hash.absorb(255 << 56 | UInt64(range.count))
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + 8, range.upperBound)
      hash.absorb(word(at: start..<end, in: bytes))
      start = end
    }
  }

  /// Returns up to eight bytes as a word, the first of them lowest.
  @inline(__always)
  private func word(at range: Range<Int>, in bytes: [UInt8]) -> UInt64 {
    guard range.lowerBound + 8 <= bytes.count, !range.isEmpty else {
      return bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    // Safety: the eight bytes were just found to be the array's, and every bit pattern is a number.
    let all = unsafe UInt64(
      littleEndian: bytes.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: range.lowerBound, as: UInt64.self))
    return all & (UInt64.max >> UInt64(64 - 8 * range.count))
  }

  private func bits(_ number: Double) -> UInt64 {
    number == 0 ? 0 : number.bitPattern
  }
}

/// A sum of hashes, independent of their order.
private struct Sum {
  var count: UInt64 = 0
  var high: UInt64 = 0
  var low: UInt64 = 0

  mutating func add(_ part: Fingerprint) {
    count += 1
    high &+= part.high
    low &+= part.low
  }

  func end(_ hash: inout some WordHash) {
    hash.absorb(count)
    hash.absorb(high)
    hash.absorb(low)
  }
}
