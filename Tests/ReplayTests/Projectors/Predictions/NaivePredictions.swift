import Events
import Platform
import Prediction

@testable import Replay

/// The predictions of a log by the words of the definitions: everything at once, in the order of time.
struct NaivePredictions {
  /// What is added up for a study and value of the dimension.
  struct Sums: Equatable {
    var events = 0
    var hits = 0
    var novel = 0
    var logLoss = 0.0
    var brier = 0.0
  }

  struct Key: Hashable {
    var study: String
    var value: String?
  }

  private struct RunKey: Hashable {
    var unit: String
    var study: String
  }

  /// A study of a unit.
  private struct Run {
    var isThere = false
    var table = OptionTable<VariantID>()
    var learning: Predictor.Learning
    var takes = 0
    /// What was learned of encounters, for options that are added.
    var encounters = 0
    /// Counts definitions: a take from before one is not learned after it.
    var generation = 0
  }

  private struct Pending {
    var time: Int64
    var run: RunKey
    var option: VariantID
    var generation: Int
    var features: [Feature]
  }

  let predictor: Predictor
  let rules: PredictionRules
  var since = Int64.min
  var dimension: Dimension?
  private(set) var sums: [Key: Sums] = [:]
  private var runs: [RunKey: Run] = [:]
  private(set) var pools: [String: any OptionPool] = [:]
  private var pending: [Pending] = []
  private var values: [String: String] = [:]
  private var known: [String: [(slot: UInt64, feature: Feature)]] = [:]

  init(
    _ predictor: Predictor, _ rules: PredictionRules, since: Int64 = .min,
    by dimension: Dimension? = nil
  ) {
    self.predictor = predictor
    self.rules = rules
    self.since = since
    self.dimension = dimension
  }

  /// Takes the events of a log.
  mutating func take(_ events: [Event]) {
    let units = Set(events.map(\.unit.rawValue)).subtracting([""])
      .sorted(by: NaiveUnitOrder.isBefore)
    var rest = ordered(events)[...]
    while let time = rest.first?.time {
      let now = rest.prefix { $0.time == time }
      rest = rest.dropFirst(now.count)
      for unit in units {
        for (event, isNote, _) in now where ["", unit].contains(event.unit.rawValue) {
          if isNote { note(event, unit) } else { take(event, unit) }
        }
      }
    }
  }

  /// The events in order, with provisional decisions where they begin to count, and right before each decision a note of it as
  /// it was made; each with the time at which it counts.
  private func ordered(_ events: [Event]) -> [(Event, isNote: Bool, time: Timestamp)] {
    var result: [(Event, isNote: Bool, time: Timestamp)] = []
    for (_, event) in EventOrder.sorted(events) {
      guard case .decisionConfirmed(let confirmed) = event.payload else {
        if case .decision = event.payload { result.append((event, true, event.time)) }
        result.append((event, false, event.time))
        continue
      }
      let isHeld = { [rules] (entry: (Event, isNote: Bool, time: Timestamp)) in
        // Takes of studies belong to no decision: what is known by one is known when it was made.
        (rules.source == .decisions || !entry.isNote)
          && Self.isHeld(entry.0, for: confirmed, of: event.unit)
      }
      var held = result.filter(isHeld)
      result.removeAll(where: isHeld)
      for index in held.indices {
        held[index].time = event.time
        if !held[index].isNote { held[index].0.time = event.time }
        if case .decision(var decision) = held[index].0.payload {
          decision.status = .confirmed
          held[index].0.payload = .decision(decision)
        }
      }
      result += held
    }
    return result
  }

  private static func isHeld(_ event: Event, for confirmed: DecisionConfirmed, of unit: UnitID)
    -> Bool
  {
    guard event.unit == unit, case .decision(let decision) = event.payload,
      decision.status == .provisional
    else { return false }
    let arm = ArmName(decision)
    return arm.experiment == confirmed.experiment.rawValue
      && arm.point == (confirmed.point ?? .standard).rawValue
      && (confirmed.slot == nil || arm.slot == confirmed.slot?.rawValue)
  }

  private mutating func take(_ event: Event, _ unit: String) {
    let time = event.time.microseconds
    switch event.payload {
    case .dataPoint(let point) where rules.source == .studies: take(point, unit, time)
    case .dataPoint(let point): note(point, unit)
    case .decision(let decision) where rules.source == .decisions: take(decision, unit, time)
    case .configurationApplied(let applied) where rules.source == .studies:
      configure(applied, unit, time)
    default: break
    }
  }

  /// What a decision says of the dimension, when it is made.
  private mutating func note(_ event: Event, _ unit: String) {
    guard case .decision(let decision) = event.payload else { return }
    switch dimension {
    case .context(let name): values[unit] = decision.context?[name].map { Self.name($0).rawValue }
    case .policy: values[unit] = decision.policy?.rawValue
    case .day where rules.source == .decisions:
      values[unit] = String(event.time.description.prefix(10))
    default: break
    }
  }

  private mutating func note(_ point: DataPoint, _ unit: String) {
    if case .data(let kind, let key) = dimension, point.kind == kind, key == nil || key == point.key {
      values[unit] = point.value.map { Self.name($0).rawValue }
    }
  }

  private mutating func take(_ point: DataPoint, _ unit: String, _ time: Int64) {
    note(point, unit)
    guard point.kind == "optionTaken" || point.kind == "optionEncountered" else {
      return learn(point, unit)
    }
    guard let study = point.key, !study.isEmpty, rules.studies?.contains(study) ?? true else {
      return
    }
    let key = RunKey(unit: unit, study: study)
    if point.kind == "optionEncountered" {
      guard runs[key]?.table.names.isEmpty == false else { return }
      learnWhatIsKnown(time)
      runs[key]?.table.encounter()
      runs[key]?.encounters += 1
      runs[key]?.learning.encounter(at: time)
    } else if let name = point.value.map(Self.name), !name.rawValue.isEmpty {
      take(name, key, time)
    }
  }

  private mutating func learn(_ point: DataPoint, _ unit: String) {
    let slot = Feature.code(of: point.kind, point.key ?? "")
    var feature = Feature(code: slot, value: 1)
    switch point.value {
    case .number(let number): feature.value = number
    case .integer(let number): feature.value = Double(number)
    case nil: break
    default:
      let text = point.value.map { Self.name($0).rawValue } ?? ""
      feature.code = Feature.code(of: point.kind, point.key ?? "", text)
    }
    known[unit, default: []].removeAll { $0.slot == slot }
    known[unit, default: []].append((slot, feature))
  }

  private mutating func take(_ decision: Decision, _ unit: String, _ time: Int64) {
    guard decision.status == nil || decision.status == .confirmed else { return }
    let point = (decision.point ?? .standard).rawValue
    let slot = (decision.slot ?? .standard).rawValue
    let isStandard = point == "point-1" && slot == "decision-1"
    let study = decision.experiment.rawValue + (isStandard ? "" : "/\(point)/\(slot)")
    guard
      rules.studies.map({ $0.contains(study) || $0.contains(decision.experiment.rawValue) })
        ?? true
    else { return }
    let key = RunKey(unit: unit, study: study)
    known[unit] = (decision.context?.entries ?? []).map { entry in
      let slot = Feature.code(of: "context", entry.name)
      guard case .number(let number) = entry.value else {
        let code = Feature.code(of: "context", entry.name, Self.name(entry.value).rawValue)
        return (slot, Feature(code: code))
      }
      return (slot, Feature(code: slot, value: number))
    }
    if let choices = decision.choices { offer(choices, key, time) }
    take(decision.variant, key, time)
  }

  private mutating func offer(_ choices: [VariantID], _ key: RunKey, _ time: Int64) {
    let run = runs[key] ?? Run(learning: predictor.beginning)
    guard Set(choices) != Set(run.table.names) else {
      return runs[key] = run
    }
    var table = OptionTable<VariantID>()
    for (name, count) in zip(run.table.names, run.table.taken) where choices.contains(name) {
      table.append(name, taken: count)
    }
    let encountered = table.names.isEmpty ? 0 : run.table.encountered
    for name in choices { table.append(name) }
    table.setEncountered(encountered)
    learnWhatIsKnown(time)
    set(table, key, isChange: run.isThere, time)
  }

  // MARK: Configurations

  private mutating func configure(
    _ applied: ConfigurationApplied, _ unit: String, _ time: Int64
  ) {
    guard applied.system == "studies", let study = applied.experiment?.rawValue, !study.isEmpty,
      rules.studies?.contains(study) ?? true, let text = applied.configuration,
      applied.reason != "forced"
    else { return }
    let key = RunKey(unit: unit, study: study)
    if text == .null {
      guard runs[key]?.isThere == true else { return }
      learnWhatIsKnown(time)
      set(OptionTable(), key, isChange: false, time)
      runs[key]?.isThere = false
      return
    }
    guard let table = Self.table(text) else { return }
    learnWhatIsKnown(time)
    let isChange = ["option-added", "option-updated", "option-removed"].contains(applied.reason)
    set(table, key, isChange: isChange && runs[key]?.isThere == true, time)
  }

  private static func table(_ text: JSONText) -> OptionTable<VariantID>? {
    guard let options = (try? JSONValue(parsing: text.text))?["options"]?.array else { return nil }
    var table = OptionTable<VariantID>()
    var encountered = 0
    for option in options {
      guard let name = option["description"]?.string, !name.isEmpty,
        case .integer(let taken)? = option["timesTaken"],
        case .integer(let met)? = option["timesEncountered"], taken >= 0, met >= 0,
        table.append(VariantID(name), taken: Int(taken))
      else { return nil }
      encountered = max(encountered, Int(met))
    }
    guard table.taken.allSatisfy({ $0 <= encountered }) else { return nil }
    table.setEncountered(encountered)
    return table
  }

  private mutating func set(
    _ table: OptionTable<VariantID>, _ key: RunKey, isChange: Bool, _ time: Int64
  ) {
    var run = runs[key] ?? Run(learning: predictor.beginning)
    if isChange {
      run.learning.change(from: run.table, to: table, at: time)
    } else {
      run.learning.define(table, at: time)
      run.generation += 1
    }
    run.table = table
    run.encounters = table.encountered
    run.isThere = true
    runs[key] = run
  }

  // MARK: Takes

  private mutating func take(_ name: VariantID, _ key: RunKey, _ time: Int64) {
    learnWhatIsKnown(time)
    if runs[key] == nil { runs[key] = Run(learning: predictor.beginning) }
    if let run = runs[key], run.takes >= rules.plan.warmUp, time >= since {
      score(run, key, name, time)
    }
    runs[key]?.takes += 1
    runs[key]?.isThere = true
    if runs[key]?.table.append(name) == true {
      let encounters = runs[key]?.encounters ?? 0
      runs[key]?.learning.apply(.add(takes: 0, encounters: encounters), at: time)
    }
    if let place = runs[key]?.table.place(of: name) { runs[key]?.table.take(at: place) }
    let take = Pending(
      time: time, run: key, option: name, generation: runs[key]?.generation ?? 0,
      features: features(key.unit))
    if rules.plan.delay > 0 { pending.append(take) } else { learn(take) }
  }

  private func features(_ unit: String) -> [Feature] {
    predictor.wantsFeatures
      ? (known[unit] ?? []).map(\.feature).sorted { $0.code < $1.code } : []
  }

  private func situation(_ run: Run, _ features: [Feature], _ time: Int64) -> Situation {
    Situation(
      time: time,
      options: run.table.names.map { Feature.code(of: $0.rawValue) }, features: features)
  }

  private mutating func learn(_ take: Pending) {
    guard var run = runs[take.run], run.generation == take.generation,
      let place = run.table.place(of: take.option)
    else { return }
    if let pool = pools[take.run.study] { run.learning.common = pool }
    run.encounters += 1
    run.learning.take(place, in: situation(run, take.features, take.time))
    pools[take.run.study] = run.learning.common
    runs[take.run] = run
  }

  private mutating func learnWhatIsKnown(_ time: Int64) {
    let isKnown = { [delay = rules.plan.delay] (take: Pending) in take.time <= time - delay }
    let known = pending.prefix(while: isKnown)
    pending.removeFirst(known.count)
    for take in known { learn(take) }
  }

  private mutating func score(_ run: Run, _ key: RunKey, _ name: VariantID, _ time: Int64) {
    var learning = run.learning
    if let pool = pools[key.study] { learning.common = pool }
    let forecast = learning.forecast(in: situation(run, features(key.unit), time))
    let place = run.table.place(of: name)
    let confidence = place.map { forecast.confidences[$0] } ?? 0
    var brier = place == nil ? 1.0 : 0
    for (option, value) in forecast.confidences.enumerated() {
      brier += option == place ? (1 - value) * (1 - value) : value * value
    }
    var value = values[key.unit]
    if dimension == .day, rules.source == .studies {
      value = String(Timestamp(microseconds: time).description.prefix(10))
    }
    var sum = sums[Key(study: key.study, value: value)] ?? Sums()
    sum.events += 1
    sum.novel += place == nil ? 1 : 0
    sum.hits += place != nil && forecast.mostLikely == place ? 1 : 0
    sum.logLoss -= log(max(confidence, 1e-15))
    sum.brier += brier
    sums[Key(study: key.study, value: value)] = sum
  }

  static func name(_ value: AttributeValue) -> VariantID {
    switch value {
    case .text(let text): VariantID(text)
    case .flag(let flag): VariantID("\(flag)")
    case .integer(let number): VariantID("\(number)")
    case .number(let number):
      VariantID(number == number.rounded() ? "\(Int64(number))" : "\(number)")
    }
  }
}
