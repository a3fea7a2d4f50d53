extension PlotScale {
  /// Creates a time scale of values in seconds since 1970-01-01T00:00:00Z, with ticks at round times in UTC.
  ///
  /// - Parameters:
  ///   - values: The values; those that are not finite are ignored.
  ///   - most: The maximum number of ticks, at least 4; a few more if there would be fewer than 3.
  /// - Returns: The scale.
  static func time(_ values: [Double], ticks most: Int = 8) -> PlotScale {
    // The years 1 to 9999.
    let finite = values.filter(\.isFinite)
      .map { min(max($0, -62_135_596_800), 253_402_300_799) }
    var (low, high) = (finite.min() ?? 0, finite.max() ?? 86_400)
    if low == high { (low, high) = (low - 43_200, high + 43_200) }
    if high - low < 4 { (low, high) = (low - 2, high + 2) }
    let (first, last) = (Int(low.rounded(.up)), Int(high.rounded(.down)))
    var places: [Int] = []
    var chosen = TimeStep.second(1)
    for step in TimeStep.all where (last - first) / step.leastLength <= 11 {
      let found = step.places(first, last)
      // With fewer than three the finer ones are better.
      if found.count < 3, !places.isEmpty { break }
      (places, chosen) = (found, step)
      if found.count <= most { break }
    }
    return PlotScale(low: low, high: high, ticks: chosen.ticks(places))
  }
}

/// A distance between ticks in time.
private enum TimeStep {
  case second(Int)
  case day(Int)
  case month(Int)

  static let all: [TimeStep] =
    [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200].map {
      .second($0)
    } + [1, 2, 7, 14].map { .day($0) }
    + [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000, 24_000].map {
      .month($0)
    }

  /// The least number of seconds from one tick to the next.
  var leastLength: Int {
    switch self {
    case .second(let count): count
    case .day(let count): count * 86_400
    case .month(let count): count * 28 * 86_400
    }
  }

  /// Returns the ticks between two times: multiples of the step, weeks from Monday on.
  func places(_ first: Int, _ last: Int) -> [Int] {
    switch self {
    case .second(let count): return Self.multiples(of: count, from: 0, first, last)
    case .day(let count):
      // 1970-01-05 was a Monday.
      let start = count % 7 == 0 ? 4 * 86_400 : 0
      return Self.multiples(of: count * 86_400, from: start, first, last)
    case .month(let count):
      let (start, end) = (CivilTime(seconds: first), CivilTime(seconds: last))
      let months = start.year * 12 + start.month - 1...end.year * 12 + end.month - 1
      return months.filter { $0 % count == 0 }
        .map { CivilTime.seconds(year: $0 / 12, month: $0 % 12 + 1) }
        .filter { $0 >= first && $0 <= last }
    }
  }

  private static func multiples(of step: Int, from start: Int, _ first: Int, _ last: Int) -> [Int] {
    var place = (first - start) / step * step + start
    while place < first { place += step }
    return Array(stride(from: place, through: last, by: step))
  }

  /// Returns ticks with labels, the day or year in a second line where it changes.
  func ticks(_ places: [Int]) -> [PlotTick] {
    var shown: String?
    return places.map { place in
      let time = CivilTime(seconds: place)
      let (label, context) = texts(time)
      defer { shown = context }
      return PlotTick(
        value: Double(place), label: label, detail: context == shown ? nil : context)
    }
  }

  private func texts(_ time: CivilTime) -> (label: String, context: String?) {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let month = months[(time.month - 1) % 12]
    switch self {
    case .second: return (time.time, "\(month) \(time.day), \(time.year)")
    case .day: return ("\(month) \(time.day)", "\(time.year)")
    case .month(let count):
      return count % 12 == 0 ? ("\(time.year)", nil) : (month, "\(time.year)")
    }
  }
}
