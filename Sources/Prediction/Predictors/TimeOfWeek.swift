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
    Field.number("offset", \.offset, in: -24.0...24, "what is added to UTC, in hours, {range}")
    Field.number(
      "strength", \.strength, in: 1e-6...1e9,
      "how many takes the whole counts as in a bucket, {range}")
  }

  public var beginning: Learning {
    Learning(buckets: buckets, offset: offset, strength: strength)
  }

  /// The takes of each option, by bucket and in total.
  public struct Learning: UnitLearning {
    fileprivate let buckets: Buckets
    fileprivate let offset: Double
    fileprivate let strength: Double
    fileprivate var counts = TakeCounts()
    /// The takes of each option in each bucket, option by option, saturating at the largest number.
    fileprivate var takes: [UInt32] = []
    /// The latest date; nil as long as no event had one.
    fileprivate var latest: Int64?

    public var optionCount: Int { counts.takes.count }

    /// Whether there are counts for each option and bucket.
    public var isSound: Bool {
      counts.takes.allSatisfy { $0 >= 0 } && takes.count == optionCount * buckets.count
    }

    /// Applies a change; new counts are in no bucket.
    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      let (removed, width) = (change.removal(from: optionCount), buckets.count)
      counts.takes.apply(change)
      switch change {
      case .define:
        takes.removeAll(keepingCapacity: true)
        latest = nil
      case .remove:
        if let removed { takes.removeSubrange(removed * width..<(removed + 1) * width) }
        if optionCount == 0 { latest = nil }
        return
      case .revise(let option, _, _):
        guard counts.takes.indices.contains(option) else { return }
        for place in option * width..<(option + 1) * width { takes[place] = 0 }
      case .add, .raise: break
      }
      while takes.count < optionCount * width { takes.append(0) }
      if optionCount > 0 { arrive(time) }
    }

    @inline(__always)
    public mutating func take(_ option: Int, at time: Int64?) {
      guard counts.takes.indices.contains(option) else { return }
      arrive(time)
      counts.takes[option] = counts.takes[option].addingCount(1)
      guard let time = time ?? latest else { return }
      let place = option * buckets.count + bucket(time)
      if takes[place] < .max { takes[place] += 1 }
    }

    /// The forecast is blind and uniform if no present option was ever taken.
    @inline(__always)
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let (all, total, width) = (counts.takes, counts.takes.total, buckets.count)
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
      confidences.change { $0 /= whole }
      return total == 0
    }

    @inline(__always)
    private mutating func arrive(_ time: Int64?) {
      if let time { latest = max(time, latest ?? time) }
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
