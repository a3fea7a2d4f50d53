public import Events

/// Reads the times of one input: ISO 8601, or numbers since 1970 whose unit is that of the input's first number, told
/// by its magnitude, or that are dates such as 20260302. Zero, which stands for a missing time in many systems, is 1970
/// in every unit and tells none.
///
/// A text without offset, such as `2026-01-05 10:00:00` or `2026-01-05`, is taken as UTC, which is what exports of data
/// warehouses mean.
public struct FieldTimes: Sendable {
  /// The unit of numbers since 1970.
  public enum Unit: String, Sendable {
    /// Below 1e11.
    case seconds
    /// Below 1e14.
    case milliseconds
    /// Below 1e17.
    case microseconds
    /// Everything above.
    case nanoseconds
    /// Dates written as whole numbers, such as 20260302.
    case dates

    init(_ number: Double) {
      switch number.magnitude {
      case ..<1e11: self = .seconds
      case ..<1e14: self = .milliseconds
      case ..<1e17: self = .microseconds
      default: self = .nanoseconds
      }
    }
  }

  /// The unit of the numbers read so far; nil before the first.
  public private(set) var unit: Unit?
  private var scratch: [UInt8] = []
  private static let zones = [Array(" UTC".utf8), Array(" GMT".utf8), Array(" Z".utf8)]
  private static let (utc, midnight) = ([UInt8(ascii: "Z")], Array("T00:00:00".utf8))

  /// Creates a reader for a new input.
  public init() {}

  /// Returns the time in a field.
  ///
  /// - Throws: ``Rejection`` `time` if there is no field, it is not a time, or it is a number of another unit than the
  ///   first.
  public mutating func read(
    _ field: FieldTree.Field?, of tree: FieldTree, named name: @autoclosure () -> String = "time"
  ) throws(Rejection) -> Timestamp {
    guard let field = field ?? tree.envelopeTime else {
      throw Rejection(.time, "there is no \"\(name())\"")
    }
    let text = tree.bytes.span.extracting(tree.nodes[field.index].range)
    if let time = Timestamp(iso8601: text) { return time }
    let digits = Self.digits(text)
    if let number = digits.map({ Double($0) }) ?? tree.number(field) {
      return try fromEpoch(number, digits, text)
    }
    if let time = withoutOffset(text) { return time }
    throw Rejection(
      .time,
      "\"\(name())\" is \"\(Self.shown(text))\", which is no time; write 2026-01-05, 2026-01-05T10:00:00Z (UTC "
        + "without an offset, or one such as +02:00), or a number since 1970")
  }

  /// Returns the time that a text means by itself; nil if it is none.
  static func constant(_ text: Span<UInt8>) -> Timestamp? {
    if let time = Timestamp(iso8601: text) { return time }
    if let date = calendarDate(text) { return date }
    if let number = JSONNumber.double(of: text) { return Timestamp(sinceEpoch: number) }
    var times = FieldTimes()
    return times.withoutOffset(text)
  }

  private mutating func fromEpoch(
    _ number: Double, _ digits: Int64?, _ text: Span<UInt8>
  ) throws(Rejection) -> Timestamp {
    if number == 0 { return Timestamp(microseconds: 0) }
    let date = unit == nil || unit == .dates ? Self.calendarDate(text) : nil
    if let date {
      unit = .dates
      return date
    }
    let own = Unit(number)
    let unit = self.unit ?? own
    self.unit = unit
    guard own == unit else {
      throw Rejection(
        .time, "the time \(Self.shown(text)) is in \(own) and the first of the file in \(unit)")
    }
    let time =
      if let whole = digits ?? Int64(text.string) {
        Timestamp(sinceEpoch: whole)
      } else {
        Timestamp(sinceEpoch: number)
      }
    guard let time else {
      throw Rejection(.time, "the time \(Self.shown(text)) is out of range")
    }
    return time
  }

  private static func shown(_ text: Span<UInt8>) -> String { text.extracting(first: 40).string }

  /// Parses up to 18 digits, without creating a string; nil for anything else, such as a fraction.
  private static func digits(_ text: Span<UInt8>) -> Int64? {
    guard text.count <= 18, DigitText.isWhole(text) else { return nil }
    return text.indices.reduce(0) { $0 &* 10 &+ Int64(text[$1] &- 0x30) }
  }

  /// Parses what warehouses write that ISO 8601 does not have: a date with or without a time of day and without offset,
  /// which is UTC, or with an offset or ` UTC` after a space, as in `2026-01-05 10:00:00.000 +0000`.
  private mutating func withoutOffset(_ text: Span<UInt8>) -> Timestamp? {
    guard text.count >= 10, text.count <= 48 else { return nil }
    scratch.removeAll(keepingCapacity: true)
    for index in text.indices { scratch.append(text[index]) }
    if let zone = Self.zones.first(where: { scratch.suffix($0.count).elementsEqual($0) }) {
      scratch.removeLast(zone.count)
    }
    var offset = Self.utc
    if let space = scratch.lastIndex(of: 0x20), space >= 16, space + 1 < scratch.count,
      scratch[space + 1] == UInt8(ascii: "+") || scratch[space + 1] == UInt8(ascii: "-")
    {
      offset = Array(scratch[(space + 1)...])
      scratch.removeSubrange(space...)
    }
    if scratch.count == 10 { scratch.append(contentsOf: Self.midnight) }
    if scratch.count == 16 { scratch.append(contentsOf: Self.midnight.suffix(3)) }
    scratch.append(contentsOf: offset)
    return Timestamp(iso8601: scratch.span)
  }
}
