/// A date and time of day in UTC, in the proleptic Gregorian calendar.
struct CivilTime: Sendable, Equatable {
  /// The year.
  var year: Int
  /// The month, from 1 to 12.
  var month: Int
  /// The day of the month, from 1 to 31.
  var day: Int
  /// The second of the day, from 0 to 86 399.
  var second: Int

  /// Creates a date and time from whole seconds since 1970-01-01T00:00:00Z.
  ///
  /// H. Hinnant, *chrono-compatible low-level date algorithms*, 2013.
  init(seconds: Int) {
    let days = seconds.floorQuotient(86_400)
    second = seconds - days * 86_400
    let shifted = days + 719_468
    let era = shifted.floorQuotient(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Returns the seconds since 1970-01-01T00:00:00Z of the beginning of a month.
  static func seconds(year: Int, month: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year.floorQuotient(400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400
  }

  /// The date as `2026-01-02`.
  var date: String { "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))" }

  /// The time of day as `03:04`, or `03:04:05` unless the minute is whole.
  var time: String {
    let minutes = "\(Self.padded(second / 3_600)):\(Self.padded(second / 60 % 60))"
    return second % 60 == 0 ? minutes : "\(minutes):\(Self.padded(second % 60))"
  }

  /// The date, and the time of day unless it is midnight.
  var text: String { second == 0 ? date : "\(date) \(time)" }

  private static func padded(_ number: Int, _ digits: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

extension Int {
  /// Returns the quotient, rounded down.
  fileprivate func floorQuotient(_ divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }
}
