internal import Events

/// An ordered sequence of names, each with a number, encoded as words: the names of a row's list or the attributes of
/// an object before they have codes. Two patterns are equal if and only if all names and numbers are.
///
/// The part of a name that does not fit the words precedes it in words of its own, marked by a tag that no name has,
/// so that no other sequence is encoded the same.
struct NamePattern: Sendable {
  /// The maximum number of stored words; a longer pattern cannot be used.
  static let limit = 64

  private(set) var words = [NameWords](repeating: .none, count: limit)
  private(set) var count = 0
  /// A hash of the pattern, in its upper bits.
  private(set) var mixed: UInt64 = 0

  /// Whether the pattern exceeds the limit, so that some words are not stored.
  var isTooLong: Bool { count > Self.limit }

  /// Starts a pattern for the contents of a column.
  @inline(__always)
  mutating func begin(_ column: ColumnID) {
    (count, mixed) = (0, 0)
    add(NameWords(first: UInt64(column.rawValue), last: 0, tag: 0))
  }

  /// Appends a name and a number below 2^31.
  @inline(__always)
  mutating func append(_ name: Span<UInt8>, _ number: Int = 0) {
    var start = 0
    while name.count &- start > NameWords.longestName {
      let (first, last) = NameBytes.ends(
        name.extracting(start..<start &+ NameWords.longestName), from: 0)
      add(NameWords(first: first, last: last, tag: .max))
      start &+= NameWords.longestName
    }
    let (first, last) = NameBytes.ends(name, from: start)
    let tag = UInt64(truncatingIfNeeded: name.count) | UInt64(truncatingIfNeeded: number) &<< 32
    add(NameWords(first: first, last: last, tag: tag))
  }

  @inline(__always)
  private mutating func add(_ next: NameWords) {
    if count < Self.limit { words[count] = next }
    count &+= 1
    mixed = (mixed ^ next.mixed) &* 0x9E37_79B9_7F4A_7C15
  }

  // MARK: Attributes

  /// Appends the names of attributes with the types of their values.
  @inline(__always)
  mutating func append(
    _ list: [EventRecord.Attribute], _ range: Range<Int>, of record: borrowing EventRecord
  ) {
    for index in range where !isTooLong {
      append(
        record.bytes.span.extracting(list[index].name.range),
        Int(ValueType(list[index].value).rawValue))
    }
  }

  /// Appends each choice that has features with their number, and the features.
  @inline(__always)
  mutating func appendFeatures(of record: borrowing EventRecord) {
    var next = 0
    for index in record.featureGroups.indices where !isTooLong {
      let group = record.featureGroups[index]
      append(record.bytes.span.extracting(group.variant.range), group.count)
      append(record.features, next..<next + group.count, of: record)
      next += group.count
    }
  }
}
