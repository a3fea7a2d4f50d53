/// When clocks are changed in any year, as POSIX writes it in `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ClockRule {
  /// A day of each year, and a time on it by the clock before the change, in seconds.
  private enum YearDay {
    /// The given week (5 for the last) of a month, and the day of the week, from Sunday.
    case month(Int, week: Int, weekday: Int)
    /// The number of a day, from 0, with or without leap days.
    case number(Int, skipsLeapDays: Bool)

    /// Returns the days from 1970-01-01 to the one of a year.
    func days(in year: Int) -> Int {
      switch self {
      case .month(let month, let week, let weekday):
        let first = Calendar.days(year: year, month: month, day: 1)
        let shift = (weekday - (first + 4) % 7 + 14) % 7
        let fits = shift + 7 * (week - 1) < Calendar.daysIn(month: month, year: year)
        return first + shift + 7 * (fits ? week - 1 : week - 2)
      case .number(let number, let skipsLeapDays):
        let leapDay = skipsLeapDays && Calendar.isLeap(year) && number >= 59 ? 1 : 0
        return Calendar.days(year: year, month: 1, day: 1) + number + leapDay
      }
    }
  }

  /// The offset from UTC in winter, in seconds.
  private let standard: Int
  /// The offset in summer, and when it starts and ends; nil if clocks are never changed.
  private var summer: (offset: Int, start: (YearDay, Int), end: (YearDay, Int))?

  /// Parses a rule; nil if it is none.
  init?(_ text: ArraySlice<UInt8>) {
    var reader = ClockRuleReader(text)
    guard reader.skipName(), let standard = reader.time() else { return nil }
    self.standard = -standard
    guard !reader.isAtEnd else { return }
    guard reader.skipName() else { return nil }
    var offset = self.standard + 3_600
    if !reader.isNext(",") {
      guard let own = reader.time() else { return nil }
      offset = -own
    }
    guard let start = Self.change(&reader), let end = Self.change(&reader), reader.isAtEnd else { return nil }
    summer = (offset, start, end)
  }

  private static func change(_ reader: inout ClockRuleReader) -> (YearDay, Int)? {
    guard reader.skip(","), let day = day(&reader) else { return nil }
    guard reader.skip("/") else { return (day, 2 * 3_600) }
    return reader.time().map { (day, $0) }
  }

  private static func day(_ reader: inout ClockRuleReader) -> YearDay? {
    if reader.skip("M") {
      guard let month = reader.number(1...12), reader.skip("."), let week = reader.number(1...5),
        reader.skip("."), let weekday = reader.number(0...6)
      else { return nil }
      return .month(month, week: week, weekday: weekday)
    }
    if reader.skip("J") {
      return reader.number(1...365).map { .number($0 - 1, skipsLeapDays: true) }
    }
    return reader.number(0...365).map { .number($0, skipsLeapDays: false) }
  }

  /// Returns the changes of a year, in order.
  func changes(in year: Int) -> [DayCalendar.Change] {
    func change(_ day: (YearDay, Int), from old: Int, to new: Int) -> DayCalendar.Change {
      let seconds = day.0.days(in: year) * 86_400 + day.1 - old
      return DayCalendar.Change(time: Int64(seconds) * 1_000_000, offset: Int64(new) * 1_000_000)
    }
    guard let summer else {
      let start = Calendar.days(year: year, month: 1, day: 1) * 86_400 - standard
      return [.init(time: Int64(start) * 1_000_000, offset: Int64(standard) * 1_000_000)]
    }
    let start = change(summer.start, from: standard, to: summer.offset)
    let end = change(summer.end, from: summer.offset, to: standard)
    return start.time < end.time ? [start, end] : [end, start]
  }
}

/// Reads the parts of a rule.
private struct ClockRuleReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) { rest = text }

  var isAtEnd: Bool { rest.isEmpty }

  func isNext(_ letter: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: letter) }

  mutating func skip(_ letter: Unicode.Scalar) -> Bool {
    guard isNext(letter) else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips an abbreviation: letters, or anything between angle brackets.
  mutating func skipName() -> Bool {
    if skip("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
      return true
    }
    let name = rest.prefix { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
    rest = rest[name.endIndex...]
    return name.count > 2
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest[digits.endIndex...]
    guard (1...3).contains(digits.count) else { return nil }
    let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(value) ? value : nil
  }

  /// Reads hours, perhaps with a sign, minutes and seconds, in seconds.
  mutating func time() -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number(0...167) else { return nil }
    var seconds = hours * 3_600
    for unit in [60, 1] where skip(":") {
      guard let value = number(0...59) else { return nil }
      seconds += value * unit
    }
    return isNegative ? -seconds : seconds
  }
}
