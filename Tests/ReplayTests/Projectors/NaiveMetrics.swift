import Events
import TestSupport

@testable import Replay

/// Random rules of metrics.
struct MetricRules {
  var attribution = Attribution()
  var cap: Double?
  var covariatePeriod: Int64?

  init(_ random: inout SeededGenerator, _ step: Int64) {
    func duration() -> Int64 { Int64(random.index(8)) * step }
    if random.chance(0.5) { attribution.window = duration() }
    attribution.conversionWindow = random.chance(0.5) ? duration() : nil
    if random.chance(0.3) { attribution.delay = Int64(random.index(3)) * step }
    if random.chance(0.3) { attribution.limit = 1 + random.index(2) }
    if random.chance(0.2) { attribution.counting = .once }
    if random.chance(0.2) { attribution.minimum = 1 }
    if random.chance(0.2) { attribution.maximum = 3 }
    if random.chance(0.3) {
      attribution.end = Timestamp(microseconds: Int64(random.index(12)) * step)
      attribution.excludesInProgress = random.chance(0.5)
    }
    if random.chance(0.3) { attribution.crossing = .first }
    if random.chance(0.3) { cap = 2 }
    if random.chance(0.5) { covariatePeriod = step + duration() }
  }
}

/// Metrics of units by the words of their definition.
struct NaiveMetrics {
  typealias Key = NaiveRewards.Key

  /// What a metric is for a unit.
  struct Value {
    var after = 0.0
    var before = 0.0
    var over = 0.0
    var beforeOver = 0.0
    /// Whether anything counts, of a conversion rate a goal or conversion that takes none back.
    var isConverter = false
    /// Whether a conversion counts that takes one back.
    var isReversed = false
  }

  /// By segment, for each unit the values of all metrics.
  var groups: [Key: [[Value]]] = [:]
  var crossed = 0
  var inProgress = 0

  private typealias Seen = (index: Int, event: Event)

  init(_ events: [Event], _ metrics: [Metric], _ rules: MetricRules) {
    let end = rules.attribution.end?.microseconds ?? .max
    for (_, history) in Dictionary(grouping: Self.ordered(events), by: \.unit.rawValue) {
      var exposures: [Key: [(index: Int, variant: String, time: Int64)]] = [:]
      for (index, event) in history.enumerated() {
        guard case .decision(let decision) = event.payload,
          [nil, .confirmed, .repeated].contains(decision.status), event.time.microseconds <= end
        else { continue }
        let place = Key(
          experiment: decision.experiment.rawValue, point: (decision.point ?? .standard).rawValue,
          slot: (decision.slot ?? .standard).rawValue, variant: "")
        exposures[place, default: []].append(
          (index, decision.variant.rawValue, event.time.microseconds))
      }
      var units: [(key: Key, unit: Unit)] = []
      for (place, exposures) in exposures {
        let first = exposures[0]
        if rules.attribution.crossing == .drop, Set(exposures.map(\.variant)).count > 1 {
          crossed += 1
          continue
        }
        if rules.attribution.excludesInProgress, let window = rules.attribution.conversionWindow,
          first.time + rules.attribution.delay + window > end
        {
          inProgress += 1
          continue
        }
        let unit = Unit(
          history: history, place: place, first: first.index, since: first.time, rules: rules)
        var key = place
        key.variant = first.variant
        units.append((key, unit))
      }
      for (key, unit) in units {
        groups[key, default: []].append(metrics.map(unit.value))
      }
    }
  }

  /// Events by time; provisional decisions stand where they are confirmed, and nothing stands for confirmations.
  private static func ordered(_ events: [Event]) -> [Event] {
    var result: [Event?] = []
    var held: [(place: Int, event: Event, decision: Decision)] = []
    for (_, event) in EventOrder.sorted(events) {
      guard case .decisionConfirmed(let confirmed) = event.payload else {
        if case .decision(let decision) = event.payload, decision.status == .provisional {
          held.append((result.count, event, decision))
        }
        result.append(event)
        continue
      }
      for (place, original, decision) in held
      where original.unit == event.unit && decision.experiment == confirmed.experiment
        && (decision.point ?? .standard) == (confirmed.point ?? .standard)
        && (confirmed.slot == nil || (decision.slot ?? .standard) == confirmed.slot)
        && result[place] != nil
      {
        result[place] = nil
        var decision = decision
        decision.status = nil
        result.append(Event(time: event.time, unit: event.unit, payload: .decision(decision)))
      }
    }
    return result.compactMap { $0 }
  }

  /// A unit at a place.
  private struct Unit {
    var history: [Event]
    var place: Key
    var first: Int
    var since: Int64
    var rules: MetricRules

    func value(_ metric: Metric) -> Value {
      let cap = metric.term.count == .converted ? .infinity : rules.cap ?? .infinity
      return Value(
        after: min(cap, total(metric.term, false)),
        before: min(cap, total(metric.term, true)),
        over: metric.denominator.map { total($0, false) } ?? 0,
        beforeOver: metric.denominator.map { total($0, true) } ?? 0,
        isConverter: isConverter(metric.term), isReversed: isReversed(metric.term))
    }

    private func isReversed(_ term: Metric.Term) -> Bool {
      switch term.count {
      case .conversions, .revenue, .converted: signals(term.goal, false, .conversions).contains(where: isNegative)
      case .reward, .goals, .decisions, .visits: false
      }
    }

    private func isConverter(_ term: Metric.Term) -> Bool {
      switch term.count {
      case .reward, .goals: total(Metric.Term(.goals, goal: term.goal), false) > 0
      case .conversions, .revenue:
        !signals(term.goal, false, .conversions).isEmpty
      case .converted, .decisions, .visits: total(term, false) > 0
      }
    }

    /// A term from the first exposure on, or before it.
    private func total(_ term: Metric.Term, _ isBefore: Bool) -> Double {
      switch term.count {
      case .reward: signals(term.goal, isBefore, .goals).reduce(0) { $0 + value(at: $1) }
      case .goals: Double(signals(term.goal, isBefore, .goals).count)
      case .conversions: Double(signals(term.goal, isBefore, .conversions).count)
      case .revenue: signals(term.goal, isBefore, .conversions).reduce(0) { $0 + value(at: $1) }
      case .converted:
        signals(term.goal, isBefore, .goals).isEmpty
          && signals(term.goal, isBefore, .conversions).allSatisfy(isNegative) ? 0 : 1
      case .decisions:
        Double(history.indices.filter { isDecision($0) && isSeen($0, isBefore) }.count)
      case .visits: Double(visits(isBefore))
      }
    }

    /// The goal of a signal of the experiment, and what it is worth.
    private func signal(_ index: Int, _ source: ConversionSource) -> (goal: String, value: Double)? {
      switch history[index].payload {
      case .goal(let event)
      where source == .goals && event.status != .refused
        && event.experiment.rawValue == place.experiment:
        (event.goal.rawValue, event.value ?? 1)
      case .conversion(let event) where source == .conversions:
        (
          event.goal.rawValue,
          event.takesBack ? -(event.revenue ?? 0).magnitude : event.revenue ?? 0
        )
      default: nil
      }
    }

    private func value(at index: Int) -> Double {
      (signal(index, .goals) ?? signal(index, .conversions))?.value ?? .nan
    }

    private func isNegative(_ index: Int) -> Bool {
      if case .conversion(let event) = history[index].payload { return event.takesBack }
      return false
    }

    /// Where the signals stand that count, of a goal or of all. A limit is one of each goal, of the first ones that count at
    /// the place.
    private func signals(
      _ goal: String?, _ isBefore: Bool, _ source: ConversionSource
    ) -> [Int] {
      let rule = rules.attribution
      let most = rule.counting == .once ? 1 : rule.limit ?? .max
      var used: [String: Int] = [:]
      return history.indices.filter { index in
        guard isOpen(index, isBefore, source), let name = signal(index, source)?.goal,
          used[name, default: 0] < most
        else { return false }
        used[name, default: 0] += 1
        return goal == nil || name == goal
      }
    }

    private func isOpen(_ index: Int, _ isBefore: Bool, _ source: ConversionSource) -> Bool {
      guard let signed = signal(index, source)?.value else { return false }
      let value = source == .conversions ? abs(signed) : signed
      let rule = rules.attribution
      let window = source == .goals ? rule.window : rules.attribution.conversionWindow
      return value >= rule.minimum ?? value && value <= rule.maximum ?? value
        && isTimely(index, isBefore, delay: rule.delay, window)
    }

    private func isTimely(_ index: Int, _ isBefore: Bool, delay: Int64, _ window: Int64?) -> Bool {
      let time = history[index].time.microseconds
      guard !isBefore else {
        return rules.covariatePeriod.map { time < since && time >= since - $0 } ?? false
      }
      return time >= since + delay && time <= rules.attribution.end?.microseconds ?? .max
        && window.map { time <= since + delay + $0 } ?? true
    }

    private func isSeen(_ index: Int, _ isBefore: Bool) -> Bool {
      let window = rules.attribution.window.map { $0 + rules.attribution.delay }
      return isTimely(index, isBefore, delay: 0, window) && (isBefore || index >= first)
    }

    private func isDecision(_ index: Int) -> Bool {
      guard case .decision(let decision) = history[index].payload else { return false }
      return [nil, .confirmed].contains(decision.status)
        && decision.experiment.rawValue == place.experiment
        && (decision.point ?? .standard).rawValue == place.point
        && (decision.slot ?? .standard).rawValue == place.slot
    }

    /// Numbers the visits of the whole history; those with an event that counts count.
    private func visits(_ isBefore: Bool) -> Int {
      var number = 0
      var counted: Set<Int> = []
      for index in history.indices {
        if index > 0,
          history[index].time.microseconds - history[index - 1].time.microseconds > 1_800_000_000
        {
          number += 1
        }
        if isSeen(index, isBefore) { counted.insert(number) }
      }
      return counted.count
    }
  }
}
