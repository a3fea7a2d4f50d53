package import Events

/// Computes 128-bit fingerprints that identify events: by kind, id and slot if there is an id, otherwise by their whole
/// content.
///
/// The hash is a ``FoldedHash`` over a canonical form of 64-bit words, which is different for any two different events:
///
/// - text: as ``WordHash`` absorbs it
/// - number: the bits of the `Double`, with -0 as 0; whole number: the bits of the `Int64`
/// - value: a word 1 number, 2 whole number, 3 text, 4 false, 5 true, then its content
/// - attributes: a JSON object has no order, so each name and value is hashed by itself, and the count
///   and the sum of the hashes are used; likewise for the groups of features
///
/// The identity of an event with an id is a word with 2^62, which is no time, the kind and whether it has a slot,
/// then the id and the slot, since the slots of an event share its id. The content is the time, each field that is
/// present in the order of ``EventRecord``, and a word with the kind, the status, the negative flag and a bit for each
/// of those fields. That of an event with an id is only compared with others of the same identity, so a hash of 64 bits
/// is enough for it.
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
    var hash = FoldedHash(key: key)
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
    var hash = FoldedHash(key: key)
    hash.absorb(Self.header(kind: kind, hasSlot: slot != nil))
    hash.absorb(id.span)
    if let slot { hash.absorb(slot.span) }
    return hash.result()
  }

  /// Returns the identity of an event with an id, and a hash of its content.
  package func identity(of record: borrowing EventRecord) -> EventIdentity {
    EventIdentity(self(record), content: content(of: record))
  }

  private static func header(kind: UInt8, hasSlot: Bool) -> UInt64 {
    1 << 62 | UInt64(kind) << 8 | (hasSlot ? 1 : 0)
  }

  /// Returns a keyed hash of everything that an event says.
  ///
  /// - Complexity: O(length of its texts and lists), without allocation.
  package func content(of record: borrowing EventRecord) -> UInt64 {
    var hash = FoldedLane(key: key)
    absorbContent(of: record, into: &hash)
    return hash.end
  }

  /// Returns a keyed hash of an event's experiment and unit, which is never 0.
  ///
  /// - Complexity: O(length of the two), without allocation.
  package func unit(of record: borrowing EventRecord) -> UInt64 {
    var hash = FoldedLane(key: key)
    absorb(record[.experiment], of: record, into: &hash)
    absorb(record[.unit], of: record, into: &hash)
    return max(1, hash.end)
  }

  @inline(__always)
  private func absorbContent<Hash: WordHash>(
    of record: borrowing EventRecord, into hash: inout Hash
  ) {
    var present: UInt64 = 0
    hash.absorb(UInt64(bitPattern: record.time.microseconds))
    let texts = record.texts.span
    for index in texts.indices where texts[index].isPresent {
      present |= 1 &<< UInt64(index)
      hash.absorb(record.bytes.span.extracting(texts[index].range))
    }
    if let number = record.propensity {
      present |= 1 << 15
      hash.absorb(bits(number))
    }
    if let number = record.value {
      present |= 1 << 16
      hash.absorb(bits(number))
    }
    if let number = record.revenue {
      present |= 1 << 17
      hash.absorb(bits(number))
    }
    present |= absorbLists(of: record, into: &hash) << 18
    let negative: UInt64 = record.negative.map { $0 ? 2 : 1 } ?? 0
    let marks = UInt64(record.status?.rawValue ?? 0) << 16 | negative << 8
    hash.absorb(present << 24 | marks | UInt64(record.kind.rawValue))
  }

  /// Absorbs the lists and the value of a data point, and returns a bit for each that is present.
  private func absorbLists<Hash: WordHash>(
    of record: borrowing EventRecord, into hash: inout Hash
  ) -> UInt64 {
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
    let bit = { (isPresent: Bool, place: UInt64) in isPresent ? 1 << place : 0 as UInt64 }
    return bit(record.dataValue != nil, 0) | bit(record.hasChoices, 1)
      | bit(record.hasProbabilities, 2) | bit(record.hasChanged, 3) | bit(record.hasContext, 4)
      | bit(record.hasFeatures, 5) | bit(record.hasMetadata, 6)
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
    hash.absorb(record.bytes.span.extracting(slice.range))
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
