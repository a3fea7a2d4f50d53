public import Specifications

/// Takes by time of the day or week: within the bucket of the time (takes there + strength × share) ÷ (all takes
/// there + strength), where the share of an option is that of ``Frequency``, (takes + 1) ÷ (all takes + options). The
/// confidences sum to 1.
///
/// A bucket with few takes is shrunk towards the overall shares; the strength is the number of takes that these are
/// worth. Shrinkage of this form: D. J. C. MacKay and L. C. Bauman Peto, *A hierarchical Dirichlet language model*,
/// Natural Language Engineering 1(3), 1995, https://doi.org/10.1017/S1351324900000218.
///
/// Buckets are in UTC plus an offset in hours, independent of the machine's time zone. Counts of a definition are in
/// the share only; those of a revision replace all counts of the option. A take without a date, and a prediction
/// without a time or with one before the latest event, have the date of the latest event; before any date they have
/// no bucket, and only the share counts.
///
/// - Complexity: memory O(options × buckets), 4 bytes each: about 600 bytes for a study of five by hour, 3.5 KB by
///   hour and day of the week.
public struct TimeOfWeek: OptionPredictor {
  /// The division of time into buckets.
  public enum Buckets: String, CaseIterable, Sendable, Codable {
    /// The 24 hours of the day.
    case hour
    /// The 7 days of the week.
    case weekday
    /// The 168 hours of the week.
    case hourOfWeek = "hour-weekday"
    /// Four times six hours from midnight: night, morning, afternoon and evening.
    case daypart

    /// The number of buckets.
    public var count: Int {
      switch self {
      case .hour: 24
      case .weekday: 7
      case .hourOfWeek: 168
      case .daypart: 4
      }
    }

    /// Returns the bucket of a time in microseconds since a midnight between Wednesday and Thursday, less than a
    /// week.
    @inline(__always)
    fileprivate func bucket(_ time: Int64) -> Int {
      let hour: Int64 = 3_600_000_000
      switch self {
      case .hour: return Int(time / hour % 24)
      case .weekday: return Int(time / (24 * hour))
      case .hourOfWeek: return Int(time / hour)
      case .daypart: return Int(time / (6 * hour) % 4)
      }
    }
  }

  /// The range of the offset, in hours.
  public static let offsets = -24.0...24

  /// The range of the strength.
  public static let strengths = 1e-6...1e9

  /// The division of time into buckets.
  public var buckets = Buckets.hour
  /// The offset from UTC, in hours.
  public var offset = 0.0
  /// The number of takes that the overall shares are worth in a bucket.
  public var strength = 5.0

  public static let info = SpecificationInfo(
    "calendar", "what is taken at such a time of the day or week, shrunk to what is taken at any",
    source: "MacKay and Peto 1995, https://doi.org/10.1017/S1351324900000218",
    example: "calendar:buckets=weekday")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.word(
      "buckets", \.buckets, "hour, weekday, hour-weekday or daypart (four of six hours)",
      alternatives: "hour, weekday, hour-weekday or daypart")
    Field.number("offset", \.offset, in: offsets, "what is added to UTC, in hours, {range}")
    Field.number(
      "strength", \.strength, in: strengths,
      "how many takes the whole counts as in a bucket, {range}")
  }

  public func fits(_ learning: Learning) -> Bool {
    learning.isSound && learning.buckets == buckets && learning.offset == offset
      && learning.strength == strength
  }

  public var beginning: Learning { Learning(self) }

  /// The takes of each option, by bucket and in total.
  public struct Learning: UnitLearning {
    private enum CodingKeys: String, CodingKey {
      case buckets, offset, strength, counts, takes, latest
    }

    fileprivate let buckets: Buckets
    fileprivate let offset: Double
    fileprivate let strength: Double
    private var counts = TakeCounts()
    /// The takes of each option in each bucket, option by option, saturating at the largest number.
    private var takes: [UInt32] = []
    /// The latest date; nil as long as no event had one.
    private var latest: Int64?

    init(_ predictor: TimeOfWeek) {
      (buckets, offset, strength) = (predictor.buckets, predictor.offset, predictor.strength)
    }

    public var optionCount: Int { counts.takes.count }

    /// Whether the parameters are in range, and there are counts for each option and bucket.
    public var isSound: Bool {
      TimeOfWeek.offsets.contains(offset) && TimeOfWeek.strengths.contains(strength)
        && counts.isSound && takes.count % buckets.count == 0
        && takes.count / buckets.count == optionCount
    }

    /// Starts anew with these options, whose counts are in no bucket.
    public mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
      counts.define(takes)
      self.takes.removeAll(keepingCapacity: true)
      for _ in takes.indices { addBuckets() }
      latest = takes.isEmpty ? nil : time
    }

    /// Appends an option, whose counts are in no bucket.
    public mutating func add(takes: Int, encounters: Int, at time: Int64?) {
      arrive(time)
      counts.add(takes)
      addBuckets()
    }

    /// Replaces the counts of an option, which are then in no bucket.
    public mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {
      guard counts.takes.indices.contains(option) else { return }
      arrive(time)
      counts.revise(option, takes)
      let start = option * buckets.count
      for place in start..<start + buckets.count { self.takes[place] = 0 }
    }

    /// Changes the latest date at most.
    public mutating func raise(by encounters: Int, at time: Int64?) {
      if optionCount > 0 { arrive(time) }
    }

    public mutating func remove(_ option: Int) {
      guard counts.takes.indices.contains(option) else { return }
      counts.remove(option)
      let start = option * buckets.count
      takes.removeSubrange(start..<start + buckets.count)
      if optionCount == 0 { latest = nil }
    }

    @inline(__always)
    public mutating func take(_ option: Int, at time: Int64?) {
      guard counts.takes.indices.contains(option) else { return }
      arrive(time)
      counts.take(option)
      guard let time = time ?? latest else { return }
      let place = option * buckets.count + bucket(time)
      if takes[place] < .max { takes[place] += 1 }
    }

    /// The forecast is blind and uniform if no present option was ever taken.
    @inline(__always)
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let (all, total, width) = (counts.takes, counts.total, buckets.count)
      let divisor = total + Double(all.count)
      guard let latest else {
        confidences.refill(all.count) { (Double(all[$0]) + 1) / divisor }
        return total == 0
      }
      let bucket = bucket(max(time ?? latest, latest))
      var here = 0.0
      confidences.refill(all.count) { option in
        let count = Double(takes[option * width + bucket])
        here += count
        return count + strength * ((Double(all[option]) + 1) / divisor)
      }
      let whole = here + strength
      confidences.divide(by: whole)
      return total == 0
    }

    @inline(__always)
    private mutating func arrive(_ time: Int64?) {
      if let time { latest = max(time, latest ?? time) }
    }

    private mutating func addBuckets() {
      for _ in 0..<buckets.count { takes.append(0) }
    }

    @inline(__always)
    private func bucket(_ time: Int64) -> Int {
      let week: Int64 = 604_800_000_000
      // Two weeks exceed the most negative sum of remainder and offset.
      let micros = time % week + Int64(offset * 3_600e6) + 2 * week
      return buckets.bucket(micros % week)
    }
  }
}

extension Predictor {
  /// Takes by time of the day or week: ``TimeOfWeek``.
  ///
  /// - Throws: `SpecificationError` if a number is not in its range.
  public static func calendar(
    buckets: TimeOfWeek.Buckets? = nil, offset: Double? = nil, strength: Double? = nil
  ) throws(SpecificationError) -> Predictor {
    Predictor(
      try TimeOfWeek {
        $0.buckets = buckets ?? $0.buckets
        $0.offset = offset ?? $0.offset
        $0.strength = strength ?? $0.strength
      })
  }
}
