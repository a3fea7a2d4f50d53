import Events
import Statistics
import TestSupport

@testable import OffPolicy
@testable import Replay

/// Random pages of up to three slots, decided by the policies A and B and an unknown one, some at the same time.
func pagesToEvaluate(_ random: inout SeededGenerator, count: Int = 60) -> [Event] {
  let devices: [AttributeValue?] = [.text("tv"), .text("phone"), .number(2), nil]
  var events: [Event] = []
  for page in 0..<count {
    let time = Int64(10 + page / 3 * 5)
    let unit = "u\(random.index(5))"
    let point = PointID("p\(random.index(2))")
    for slot in 0..<1 + random.index(3) {
      let choices: [VariantID]? = [["v0", "v1", "v2"], ["v2", "v1"], nil][random.index(3)]
      let offered = choices ?? ["v0", "v1", "v2"]
      var decision = Decision(
        experiment: "e", point: point, slot: SlotID("s\(slot)"),
        variant: offered[random.index(offered.count)], choices: choices)
      if random.chance(0.93) { decision.propensity = [0.25, 0.5, 1][random.index(3)] }
      if let choices, random.chance(0.4) {
        decision.probabilities = choices.count == 2 ? [0.75, 0.25] : [0.5, 0.125, 0.375]
      }
      decision.policy = [nil, "A", "B"][random.index(3)]
      decision.context = devices[random.index(devices.count)].map { ["device": $0] }
      events.append(event(time, unit, .decision(decision)))
    }
    if random.chance(0.5) {
      events.append(goal(time + Int64(random.index(8)), unit, Double(random.index(4))))
    }
  }
  return events
}

/// The decisions of pages as evaluations have to see them, by the words of the definitions.
struct NaivePages {
  struct Row {
    var unit: String
    var place: [String]
    var variant: String
    /// The logged choices.
    var list: [String]?
    /// The choices.
    var choices: [String]
    var device: AttributeValue?
    var logged: [Double]?
    var logger: String
    var propensity: Double
    var reward: Double
    /// The number of the whole decision, of all units.
    var whole: Int
  }

  /// The decisions with a propensity, in the order of their units and times.
  private(set) var rows: [Row] = []
  /// By whole decision, its number of decisions, with or without a propensity.
  private(set) var sizes: [Int: Int] = [:]

  init(_ events: [Event]) {
    let units = Dictionary(grouping: NaiveRewards(events).decisions, by: \.unit)
    var whole = 0
    for (unit, decisions) in units.sorted(by: { $0.key < $1.key }) {
      whole += 1
      var (before, slots): (NaiveRewards.Counted?, Set<String>) = (nil, [])
      for counted in decisions.sorted(by: { $0.moment < $1.moment }) {
        let key = counted.key
        if before.map({ $0.moment.0 != counted.moment.0 || $0.key.point != key.point }) ?? false
          || slots.contains(key.slot)
        {
          whole += 1
          slots = []
        }
        before = counted
        slots.insert(key.slot)
        sizes[whole, default: 0] += 1
        guard let propensity = counted.propensity else { continue }
        let list = counted.decision.choices?.map(\.rawValue)
        rows.append(
          Row(
            unit: unit, place: [key.point, key.slot], variant: key.variant, list: list,
            choices: list ?? [], device: counted.decision.context?["device"],
            logged: counted.decision.probabilities,
            logger: counted.decision.policy?.rawValue ?? "", propensity: propensity,
            reward: counted.sum, whole: whole))
      }
    }
    for index in rows.indices where rows[index].list == nil {
      rows[index].choices = Set(
        rows.filter { $0.place == rows[index].place }.map(\.variant)
      ).sorted()
    }
  }

  /// The number of whole decisions with a used decision and one that was left out.
  var incomplete: Int {
    Dictionary(grouping: rows, by: \.whole).filter { $0.value.count < sizes[$0.key] ?? 0 }.count
  }

  /// The mean reward of a variant at a place, with one reward of 1 in four decisions before.
  func model(_ variant: String, _ place: [String]) -> Double {
    let own = rows.filter { $0.variant == variant && $0.place == place }
    return (own.reduce(0) { $0 + $1.reward } + 1) / Double(own.count + 4)
  }

  private func similar(_ row: Row) -> [Row] {
    rows.filter { $0.place == row.place && $0.list == row.list && $0.device == row.device }
  }

  private func share(_ variant: String, _ rows: [Row]) -> Double {
    Double(rows.filter { $0.variant == variant }.count) / Double(rows.count)
  }

  /// The weight of a decision of a policy with these probabilities; v0 and v1 are a group.
  func weight(_ kind: WeightKind, _ row: Row, _ target: [String: Double]) -> Double {
    let chosen = target[row.variant] ?? 0
    let similar = similar(row)
    switch kind {
    case .logged: return chosen / row.propensity
    case .balanced: return chosen / share(row.variant, similar)
    case .mixture:
      let loggers = Dictionary(grouping: similar, by: \.logger)
      let mean = loggers.reduce(0) { sum, logger in
        let lists = logger.value.compactMap { row in row.logged.map { zip(row.choices, $0) } }
        let logged = lists.map { list in list.first { $0.0 == row.variant }?.1 ?? 0 }
        let estimate =
          logged.isEmpty
          ? share(row.variant, logger.value) : logged.reduce(0, +) / Double(logged.count)
        let probability = logger.key == row.logger ? row.propensity : estimate
        return sum + Double(logger.value.count) / Double(similar.count) * probability
      }
      return chosen / mean
    case .marginal:
      let group = row.choices.filter { $0 == "v0" || $0 == "v1" }
      guard group.contains(row.variant), group.count > 1 else { return chosen / row.propensity }
      let logging =
        row.logged.map { zip(row.choices, $0).reduce(0) { $0 + ($1.0 == "v2" ? 0 : $1.1) } }
        ?? group.reduce(0) { $0 + share($1, similar) }
      return group.reduce(0) { $0 + (target[$1] ?? 0) } / logging
    }
  }

  /// The sums of an estimator over the decisions of a policy.
  ///
  /// - Parameters:
  ///   - estimator: The estimator.
  ///   - places: Whether a place counts.
  ///   - policy: The probabilities of the choices; nil where the policy does not say.
  /// - Returns: The sums.
  func sums(
    _ estimator: any OffPolicyEstimator, at places: ([String]) -> Bool = { _ in true },
    _ policy: (Row) -> [String: Double]?
  ) -> OffPolicySums {
    let decided = rows.filter { places($0.place) && policy($0) != nil }
    let counts = Dictionary(grouping: decided, by: \.whole).mapValues(\.count)
    let loggers = Set(rows.map(\.logger)).sorted()
    var sums = OffPolicySums(estimator)
    for unit in Set(rows.map(\.unit)).sorted() {
      var (decisions, last): ([LoggedDecision], Int?) = ([], nil)
      for row in decided where row.unit == unit {
        if estimator.judgesWholeDecisions, counts[row.whole] != sizes[row.whole] { continue }
        let target = policy(row) ?? [:]
        let expected = row.choices.reduce(0) { $0 + (target[$1] ?? 0) * model($1, row.place) }
        let decision = LoggedDecision(
          reward: row.reward, weight: weight(estimator.weights, row, target),
          modelled: estimator.rewardModel == .none ? 0 : model(row.variant, row.place),
          expected: estimator.rewardModel == .none ? 0 : expected)
        guard var decision else { continue }
        decision.logger = UInt32(loggers.firstIndex(of: row.logger) ?? 0)
        decision.isContinuation = row.whole == last
        last = row.whole
        decisions.append(decision)
      }
      sums.add(unit: decisions.span)
    }
    return sums
  }
}
