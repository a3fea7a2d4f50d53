/// The time of a column's content that its name tells. It decides what may be `context`, which is what was known
/// at the assignment.
extension ColumnWords {
  /// Whether a time precedes the assignment, such as that of the first visit.
  var isEarlierTime: Bool {
    isTime && (has(Self.firstTimes) || (isEarlier && !has(Self.recent)))
  }

  /// Whether it says how long something took from the assignment on: `days_to_convert`, `minutes_after_exposure`,
  /// `days_since_assignment`.
  var isElapsedTime: Bool {
    for (place, word) in words.enumerated() {
      switch word {
      case "to", "till", "til", "until":
        if words[..<place].contains(where: { Self.durations.contains($0) }) { return true }
      case "after", "following":
        if words[..<place].last.map({ Self.units.contains($0) }) ?? false { return true }
      case "since", "from":
        if words[place...].contains(where: { Self.beginnings.contains($0) }) { return true }
      default: break
      }
    }
    return false
  }

  /// Whether it speaks of what follows the assignment: `orders_after`, `next_visit`, `score_change`.
  private var followsAssignment: Bool {
    if has(Self.later) || (words.count > 1 && has(Self.changes)) { return true }
    guard let place = words.firstIndex(where: { $0 == "post" || $0 == "follow" }) else {
      return false
    }
    let rest = words[(place + 1)...]
    return words[place] == "follow"
      ? rest.first == "up" : rest.contains { isResult($0) || Self.beginnings.contains($0) }
  }

  /// Whether it is known only after the assignment, and not what it came to: how long something took, a time, or what
  /// describes an outcome.
  var isLater: Bool {
    if isElapsedTime || followsAssignment { return true }
    if isTime { return !isEarlierTime }
    if has(Self.recent), has(Self.bookkeeping.union(["login", "visit", "activity", "active"])) {
      return true
    }
    return !isEarlier && words.contains { says($0).map { $0 != .start } ?? false }
  }

  private static let later: Set<String> = [
    "after", "subsequent", "subsequently", "next", "followup", "endline",
  ]
  private static let firstTimes: Set<String> = [
    "first", "created", "creation", "create", "joined", "join", "birth", "birthday", "birthdate",
    "dob", "born", "registered", "registration", "signup", "onboarded", "prior", "previous",
    "before",
    "baseline",
  ]
  private static let recent: Set<String> = ["last", "latest", "recent"]
  private static let changes: Set<String> = ["change", "delta", "final", "improvement", "endpoint"]
  private static let units: Set<String> = [
    "time", "duration", "latency", "years", "months", "month", "weeks", "week", "days", "day",
    "hours", "hour", "hrs", "minutes", "minute", "mins", "min", "seconds", "second", "secs", "sec",
    "ms",
  ]
  private static let durations = units.union(["sessions", "visits", "clicks", "steps", "attempts"])
}
