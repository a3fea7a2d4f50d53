import Events

/// The constant part of an event: a record without unit and time.
///
/// Filling a record copies the template's bytes at once, so that the slices of the template are valid for the copy,
/// and the rest is appended after them.
struct EventTemplate {
  var record: EventRecord

  /// Whether its events have ids.
  var hasID = false

  /// The letter before the number in the names of its units.
  var unitPrefix = UInt8(ascii: "u")

  init(_ kind: EventKind, texts: [(EventRecord.TextField, String)]) {
    record = EventRecord(kind: kind)
    for (field, text) in texts { record[field] = record.add(text) }
  }

  /// Turns the record into an event of this template for a unit, with an id if the template has ids.
  ///
  /// - Complexity: O(size of the event); allocates only until the record's buffers have grown.
  func fill(_ target: inout EventRecord, time: Int64, unit: Int, id: UInt64) {
    target.reset(kind: record.kind, time: Timestamp(microseconds: time))
    target.bytes.append(contentsOf: record.bytes)
    target.texts = record.texts
    target.status = record.status
    target.propensity = record.propensity
    target.value = record.value
    target.negative = record.negative
    if record.hasChoices {
      target.hasChoices = true
      target.choices.append(contentsOf: record.choices)
    }
    if record.hasProbabilities {
      target.hasProbabilities = true
      target.probabilities.append(contentsOf: record.probabilities)
    }
    target[.unit] = target.add(numbered: unitPrefix, UInt64(unit))
    if hasID { target[.id] = target.add(numbered: UInt8(ascii: "e"), id) }
  }
}

extension EventRecord {
  /// Appends a name such as `u-17` and returns its slice.
  ///
  /// - Complexity: O(number of digits), without allocation once the buffer has grown.
  mutating func add(numbered prefix: UInt8, _ number: UInt64) -> Slice {
    let start = bytes.count
    bytes.append(prefix)
    bytes.append(UInt8(ascii: "-"))
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
    return Slice(start: start, count: bytes.count - start)
  }

  /// Appends a text that is stored as bytes and returns its slice.
  ///
  /// - Complexity: O(length), without allocation once the buffer has grown.
  mutating func add(copying text: [UInt8]) -> Slice {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return Slice(start: start, count: text.count)
  }
}
