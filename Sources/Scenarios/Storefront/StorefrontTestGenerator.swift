import Events
import Statistics

/// The generator of the events of the A/B tests of a ``Storefront``, in order of time.
///
/// Every visitor comes into one of the tests, which is drawn uniformly, and gets a variant of it once. A goal follows
/// within hours; a second exposure, which repeats the variant, and a refund follow within days. Visitors come over 70 %
/// of the days of the log, from the fifth of 30 days on, so that all of this is in the log.
struct StorefrontTestGenerator {
  let experiments = StorefrontExperiment.tests
  let events: Int
  /// A thirtieth of the duration of the log, in microseconds.
  private let day: Double
  private let templates = StorefrontTemplates(StorefrontExperiment.tests, unitPrefix: UInt8(ascii: "v"))
  private var clock: StorefrontClock
  private var gaps, visitors: Xoshiro256
  private var streams: [StorefrontStreams.Experiment]
  private var pending = PendingQueue<PlannedEvent>()
  private var planned = 0
  /// The number of visitors in the log.
  private(set) var arrived = 0
  private(set) var tallies: StorefrontTallies

  /// The maximum number of events of a visitor: a decision, its repetition, a goal and a refund.
  private static let mostOfVisitor = 4

  init(days: Int, events: Int, seed: UInt64) {
    self.events = events
    day = Double(days) * 86_400_000_000 / 30
    clock = StorefrontClock(
      days: 0.7 * Double(days), events: events, start: StorefrontClock.start + Int64(4 * day))
    gaps = Xoshiro256(seed: seed, labels: ["storefront", "tests", "gaps"])
    visitors = Xoshiro256(seed: seed, labels: ["storefront", "tests", "visitors"])
    streams = experiments.map { StorefrontStreams.Experiment(seed: seed, name: $0.name) }
    tallies = StorefrontTallies(experiments)
  }

  /// Fills the record with the next event, or leaves it unchanged after the last one.
  mutating func next(into record: inout EventRecord) -> Bool {
    guard let event = nextEvent() else { return false }
    templates.list[event.template].fill(&record, time: event.time, unit: event.unit, id: event.order)
    switch event.detail {
    case .value(let cents): record.value = Double(cents) / 100
    case .number(let number): record.dataValue = .number(Double(number))
    default: break
    }
    tallies.count(record)
    return true
  }

  private mutating func nextEvent() -> PlannedEvent? {
    while true {
      let isLastVisitOver = planned >= events
      if let key = pending.nextKey, isLastVisitOver || key <= clock.now { return pending.pop() }
      if isLastVisitOver { return nil }
      let before = planned
      visit()
      clock.advance(events: planned - before, using: &gaps)
    }
  }

  /// Plans the events of a new visitor. The last ones only look around, so that every goal is in the log.
  private mutating func visit() {
    guard events - planned >= Self.mostOfVisitor else {
      arrived += 1
      return plan(templates.visits, at: clock.now, .number(1))
    }
    let index = Draw.index(below: experiments.count, using: &visitors)
    let variant = Draw.index(below: experiments[index].slots[0].variants.count, using: &streams[index].choices)
    let isRewarded = happens(experiments[index].chances[0][variant][0], using: &streams[index].rewards)
    let losses = experiments[index].losses
    if !isRewarded, !losses.isEmpty, happens(losses[variant], using: &streams[index].oddities) { return }
    arrived += 1
    tallies.count(decisionIn: index, first: variant, second: 0, device: 0, isRewarded: isRewarded)
    plan(templates.experiments[index].confirmed[0][variant], at: clock.now)
    if streams[index].oddities.happens(perMille: 150) {
      plan(
        templates.experiments[index].repeated[0][variant],
        at: clock.now + laterDay(using: &streams[index].oddities))
    }
    if isRewarded { planGoal(in: index, variant: variant) }
  }

  private mutating func planGoal(in index: Int, variant: Int) {
    let time = clock.now + streams[index].delays.delay()
    guard case .cents(let ranges) = experiments[index].worth else {
      return plan(templates.experiments[index].goal, at: time)
    }
    let cents =
      ranges[variant].lowerBound + Draw.index(below: ranges[variant].count, using: &streams[index].amounts)
    tallies.count(cents: cents, in: index, variant: variant)
    plan(templates.experiments[index].goal, at: time, .value(cents: cents))
    let refunds = experiments[index].refunds
    guard !refunds.isEmpty, happens(refunds[variant], using: &streams[index].amounts) else { return }
    tallies.count(refundOf: cents, in: index, variant: variant)
    plan(
      templates.experiments[index].refund, at: time + laterDay(using: &streams[index].delays),
      .value(cents: -cents))
  }

  /// Plans an event of the visitor who came last.
  private mutating func plan(_ template: Int, at time: Int64, _ detail: PlannedEvent.Detail = .plain) {
    planned += 1
    pending.push(
      PlannedEvent(time: time, unit: arrived, order: UInt64(planned), template: template, detail: detail),
      at: time)
  }

  /// Returns a delay of one to four days of a log of 30 days.
  private func laterDay(using generator: inout Xoshiro256) -> Int64 {
    Int64((1 + 3 * Draw.unit(using: &generator)) * day)
  }

  /// Returns true with a probability of so many ten thousandths.
  private func happens(_ chance: Int, using generator: inout Xoshiro256) -> Bool {
    Draw.index(below: 10_000, using: &generator) < chance
  }
}
