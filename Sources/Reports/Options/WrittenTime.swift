package import Events

/// A time as someone writes it: a point in time, or a date, which starts at the midnight of a time zone.
package struct WrittenTime: Sendable, Hashable {
  private let text: String
  private let time: Timestamp

  /// Parses ISO 8601 with an offset, a date, or a number since 1970.
  package init(_ text: String) throws(OptionError) { (self.text, time) = (text, try OptionValue.time(text)) }

  /// Returns the time, or the start of the date in the zone of a calendar.
  package func time(in calendar: DayCalendar) -> Timestamp { calendar.start(ofDate: text) ?? time }
}
