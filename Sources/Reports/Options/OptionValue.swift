package import Events
package import Replay
package import Specifications

/// The parsers of option values: times, durations, counts, numbers and lists, with errors that say what to write.
package enum OptionValue {
  /// Parses ISO 8601 with an offset, a date, or a number since 1970 in seconds, milliseconds, microseconds or
  /// nanoseconds.
  package static func time(_ text: String) throws(OptionError) -> Timestamp {
    try time(text, in: .utc)
  }

  /// Parses a time as ``time(_:)`` does; a date is its start in the zone of a calendar.
  package static func time(_ text: String, in calendar: DayCalendar) throws(OptionError) -> Timestamp {
    if let day = calendar.start(ofDate: text) { return day }
    if let time = Timestamp(iso8601: Array(text.utf8).span) { return time }
    if let whole = Int64(text) {
      if let time = Timestamp(sinceEpoch: whole) { return time }
    } else if let number = Double(text), let time = Timestamp(sinceEpoch: number) {
      return time
    }
    throw OptionError(
      "\"\(text)\" is not a time; write a date such as 2026-01-05 (its start in UTC, or in the zone of the report), "
        + "ISO 8601 with an offset such as 2026-01-02T03:04:05Z, or a number since 1970")
  }

  /// Returns the text of a time with a date replaced by its start in a zone; any other text as it is.
  package static func dated(_ text: String, in calendar: DayCalendar) -> String {
    calendar.start(ofDate: text)?.description ?? text
  }

  /// Parses the name of a time zone, such as Europe/Madrid.
  package static func timeZone(_ text: String) throws(OptionError) -> DayCalendar {
    do throws(SpecificationError) {
      return try ZoneDatabase.calendar(text)
    } catch { throw OptionError(error.description) }
  }

  /// Parses a duration, in microseconds.
  package static func duration(_ text: String) throws(OptionError) -> Int64 {
    guard let microseconds = DurationText.microseconds(text) else {
      throw OptionError(
        "\"\(text)\" is not a duration; write a whole number with a unit, such as 1w, 7d, 12h, 30m, 90s or 250ms "
          + "(without a unit: days)")
    }
    return microseconds
  }

  /// Parses a duration, or `none` for unlimited.
  package static func window(_ text: String) throws(OptionError) -> Int64? {
    text == "none" ? nil : try duration(text)
  }

  /// Parses a duration of whole days, such as 7, 7d or 1w.
  package static func days(_ text: String) throws(OptionError) -> Int {
    let day: Int64 = 86_400_000_000
    guard let microseconds = DurationText.microseconds(text), microseconds % day == 0 else {
      throw OptionError("\"\(text)\" is not a number of days; write one such as 7, 7d or 1w")
    }
    return Int(microseconds / day)
  }

  /// Parses an integer, such as 1000 or 1e3.
  package static func integer<Number: FixedWidthInteger>(_ text: String) throws(OptionError)
    -> Number
  {
    if let number: Number = WrittenValue.integer(text) { return number }
    throw OptionError(
      "\"\(text)\" is not a whole number\(Number.isSigned ? "" : " of 0 or more"); write one such as 1000 or 1e3"
    )
  }

  /// Parses an integer of at least 1.
  package static func positive(_ text: String) throws(OptionError) -> Int {
    let number: Int = try integer(text)
    guard number >= 1 else { throw OptionError("it must be at least 1") }
    return number
  }

  /// Parses a number, such as 0.05 or 5%.
  package static func number(_ text: String) throws(OptionError) -> Double {
    guard let number = WrittenValue.number(text), !number.isNaN else {
      throw OptionError("\"\(text)\" is not a number; write one such as 0.05, 5% or 1e6")
    }
    return number
  }

  /// Parses a part of the baseline's mean, such as 0.05 or 5%; one above all of it must be a percentage.
  package static func part(_ text: String) throws(OptionError) -> Double {
    let meaning = "part of the baseline's mean"
    guard !text.hasSuffix("pp") else {
      throw OptionError("\"\(text)\" is in percentage points, and not a \(meaning); write one such as 5% or 0.05")
    }
    let part = try number(text)
    guard part.magnitude <= 1 || text.hasSuffix("%") else {
      throw OptionError(
        "\"\(text)\" is \(NumberText.readable(part * 100)) % of the baseline's mean; write \(text)%, or "
          + "\(NumberText.readable(part * 100))% if that is meant")
    }
    return part
  }

  /// Parses an amount in units of a metric, such as 0.5, or, of a share, in percentage points, such as 0.5pp.
  package static func amount(_ text: String) throws(OptionError) -> Double {
    guard !text.hasSuffix("%") else {
      throw OptionError(
        "\"\(text)\" is a part of the baseline's mean, as margins of files are; write a difference in units of "
          + "the metric, such as 0.5, or in percentage points of a share, such as 0.5pp")
    }
    return try number(text.hasSuffix("pp") ? "\(text.dropLast(2))%" : text)
  }

  /// Parses a memory limit in bytes, such as 500M, 4G or 1e9; no report keeps to one below 1M.
  package static func memoryLimit(_ text: String) throws(OptionError) -> Int {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = text.last.flatMap { shifts[Character($0.uppercased())] }
    let count: Int? = WrittenValue.integer(shift == nil ? text[...] : text.dropLast())
    guard let count, count > 0, count <= Int.max >> (shift ?? 0) else {
      throw OptionError(
        "\"\(text)\" is not a size; write a number of bytes such as 500M, 4G or 1e9")
    }
    let bytes = count << (shift ?? 0)
    guard bytes >= 1_000_000 else { throw OptionError("it must be at least 1M") }
    return bytes
  }

  /// Parses the path of a plot, which is SVG.
  @Sendable
  package static func svg(_ path: String) throws(OptionError) -> String {
    guard path.lowercased().hasSuffix(".svg") else {
      throw OptionError("\"\(path)\" does not end with .svg; plots are SVG, which other programs convert")
    }
    return path
  }

  /// Returns a parser of a list separated by commas (or semicolons).
  package static func list<Element>(
    of element: @escaping @Sendable (String) throws -> Element
  ) -> @Sendable (String) throws -> [Element] {
    { try WrittenValue.elements($0).map { try element(String($0)) } }
  }

  /// Parses a dimension, such as context.country.
  package static func dimension(_ text: String) throws(OptionError) -> Dimension {
    if let dimension = Dimension(text) { return dimension }
    let isAttribute = !text.isEmpty && NearestName.nearest(to: text, among: Dimension.forms) == nil
    throw OptionError(
      isAttribute
        ? "unknown dimension \"\(text)\"; an attribute of the context is written context.\(text), and data points of a "
          + "kind are written data.\(text)"
        : NearestName.unknown("dimension", text, among: Dimension.forms))
  }

  /// Parses a metric, such as revenue:goal=order, or finds one by its name; the error for an unknown one lists some
  /// forms.
  package static func metric(
    _ text: String, _ files: OptionFiles = .none, among forms: [String] = Metric.forms
  ) throws -> Metric {
    try named { () throws(SpecificationError) in try files.metric(text, among: forms) }
  }

  /// Returns what a closure finds by a name, which may be in a file that is not read yet.
  private static func named<Found>(_ find: () throws(SpecificationError) -> Found) throws -> Found {
    do {
      return try find()
    } catch {
      if error == OptionFiles.unreadError { throw error }
      throw OptionError("\(error)")
    }
  }

  /// Parses metrics, or finds them by their names.
  package static func metrics(_ texts: [String], _ named: MetricFile) throws(OptionError) -> [Metric] {
    var metrics: [Metric] = []
    for text in texts {
      do { metrics.append(try named.metric(text)) } catch { throw OptionError("\(error)") }
    }
    return metrics
  }

  /// Parses what makes up the reward of a decision, such as revenue:goal=order, or finds it by its name.
  package static func rewardMetric(_ text: String, _ files: OptionFiles) throws -> RewardMetric {
    try named { () throws(SpecificationError) in
      try RewardMetric(ofDecisions: try files.metric(text, among: RewardMetric.forms))
    }
  }

  /// Parses one of the values of an enumeration, beside which another word is possible.
  package static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String, or other: String? = nil
  ) throws(OptionError) -> Value {
    if let value = Value(rawValue: text) { return value }
    let known = (other.map { [$0] } ?? []) + Value.allCases.map(\.rawValue)
    throw OptionError(NearestName.unknown("value", text, among: known))
  }

  /// Parses one of the values of an enumeration.
  @Sendable
  package static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String
  ) throws(OptionError) -> Value { try choice(text, or: nil) }
}

/// An error in the value of an option.
package struct OptionError: ExitCoded, Equatable {
  /// The fault, and a value to write.
  package let description: String

  package var exitCode: ExitCode { .usage }

  /// Creates an error.
  package init(_ description: String) { self.description = description }
}
