/// A point in time: microseconds since 1970-01-01T00:00:00Z, in the proleptic Gregorian calendar without leap seconds.
///
/// It is always the event's own time, never the clock of the machine that replays. Texts and numbers are accepted from
/// year 0001 to year 9999 (``earliest`` to ``latest``).
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z; negative before it.
  public var microseconds: Int64

  /// Creates a timestamp from microseconds since 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// 0001-01-01T00:00:00Z.
  public static let earliest = Timestamp(microseconds: -62_135_596_800_000_000)

  /// 9999-12-31T23:59:59.999999Z.
  public static let latest = Timestamp(microseconds: 253_402_300_799_999_999)

  /// Whether the year lies between 1 and 9999, so that the timestamp can be written as text.
  public var isWritable: Bool { self >= .earliest && self <= .latest }

  /// Compares by time.
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.microseconds < b.microseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// ISO 8601 in UTC: `2026-01-02T03:04:05.678901Z`, without the fraction if it is zero.
  public var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
