internal import EventLog
internal import Events
internal import Tables

/// The facts about a log that a book begins with.
struct BookFacts {
  let facts: [(name: String, value: String)]

  init(_ log: LogReader, _ names: LogNames, _ calendar: DayCalendar = .utc) {
    var facts = [("events", String(log.eventCount))]
    if log.lostEventCount > 0 { facts.append(("events lost", String(log.lostEventCount))) }
    if let first = log.earliest, let last = log.latest {
      facts += [("first event", calendar.text(first)), ("last event", calendar.text(last))]
    }
    if !calendar.isUTC { facts.append(("time zone", calendar.zone)) }
    facts += [
      ("units", String(log.nameCount(.units))),
      ("experiments", String(names.texts(.experiments).count)),
      ("variants", String(names.texts(.variants).count)),
      ("goals", String(names.texts(.goals).count)),
    ]
    if let id = log.id { facts.append(("log", id.description)) }
    self.facts = facts.map { (name: $0.0, value: $0.1) }
  }

  /// The sentences about damaged parts of a log; empty for an undamaged one.
  static func losses(of log: LogReader) -> [String] {
    guard !log.losses.isEmpty else { return [] }
    return [
      "The log is damaged: \(AnswerText.count(Int(clamping: log.lostEventCount), "event")) lost in "
        + "\(AnswerText.count(log.losses.count, "place")), so every number is of the rest; manifest.json lists them."
    ]
  }
}
