internal import Statistics

/// The visits of one unit, event by event.
struct UnitVisits {
  private var visits = 0
  private var events = 0
  /// The sums over the visits that have ended.
  private var duration: Int128 = 0
  private var ofOneEvent = 0
  private var withGoal = 0
  private var visit = Visit()

  private struct Visit {
    var start: Int64 = 0
    var end: Int64 = 0
    var events = 0
    var hasGoal = false
  }

  /// Adds the next event.
  @inline(__always)
  mutating func take(_ event: UnitEvent, isGoal: Bool, _ inactivity: Int64) {
    if visit.events > 0, event.elapsed(since: visit.end) > inactivity {
      endVisit()
      visit = Visit()
    }
    if visit.events == 0 {
      visit.start = event.time
      visits += 1
    }
    visit.end = event.time
    visit.events += 1
    visit.hasGoal = visit.hasGoal || isGoal
    events += 1
  }

  private mutating func endVisit() {
    duration += Int128(visit.end) - Int128(visit.start)
    ofOneEvent += visit.events == 1 ? 1 : 0
    withGoal += visit.hasGoal ? 1 : 0
  }

  /// Ends the last visit, and adds all of them to a tally.
  consuming func add(to tally: inout VisitTally) {
    guard visits > 0 else { return }
    endVisit()
    tally.duration += duration
    tally.ofOneEvent += ofOneEvent
    tally.withGoal += withGoal
    tally.perUnit.add(Double(events), over: Double(visits))
  }
}
