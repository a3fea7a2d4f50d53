import Foundation
import Prediction
import Specifications
import TestSupport

/// A step of one of several units of a study, and what was known when it happened.
struct UnitStep {
  var unit: Int
  var step: Step
  /// The options of the unit before the step.
  var codes: [UInt64]
  var features: [Feature]
}

/// What a unit looks like at some point of a log.
struct UnitState {
  var history = History([])
  var codes: [UInt64] = []
  /// What was taken since the study was defined or had no options.
  var sequence: [UInt64] = []

  mutating func append(_ step: Step) {
    if case .take(let option, _) = step { sequence.append(codes[option]) }
    history.append(step)
    if case .define = step { sequence = [] }
    if history.present.isEmpty { sequence = [] }
  }

  var taken: [Int] { history.present.map { history.known[$0].taken } }
}

/// The whole history of several units, from which everything is computed anew by the definitions.
struct PooledHistory {
  var steps: [UnitStep] = []

  /// The state of each unit, and each take with the state of its unit before it.
  private func replay() -> (states: [Int: UnitState], takes: [(at: Int, before: UnitState)]) {
    var states: [Int: UnitState] = [:]
    var takes: [(Int, UnitState)] = []
    for (index, step) in steps.enumerated() {
      states[step.unit, default: UnitState()].codes = step.codes
      if case .take = step.step { takes.append((index, states[step.unit] ?? UnitState())) }
      states[step.unit]?.append(step.step)
    }
    return (states, takes)
  }

  /// What a predictor expects of the unit by its definition.
  func forecast(_ text: Specification, _ unit: Int, in situation: Situation) throws -> Forecast {
    let count = situation.options.count
    switch text.name {
    case "popular":
      let smoothing = Double(text["smoothing"] ?? "") ?? 1
      let counts = counts(after: [], of: situation.options)
      return Forecast(
        confidences: counts.map {
          counts.allSatisfy { $0 == 0 }
            ? 1 / Double(count)
            : ($0 + smoothing) / (counts.reduce(0, +) + smoothing * Double(count))
        }, isBlind: counts.allSatisfy { $0 == 0 })
    case "pooled": return try pooled(text, unit, in: situation)
    case "mixture": return try mixture(text, unit, in: situation)
    case "logistic": return logistic(text, unit, in: situation)
    default:
      let history = replay().states[unit]?.history ?? History([])
      return history.forecast(try Predictor(text), at: situation.time)
    }
  }

  /// How often each option followed the takes in all units together.
  private func counts(after context: [UInt64], of options: [UInt64]) -> [Double] {
    let takes = replay().takes.filter {
      Array($0.before.sequence.suffix(context.count)) == context
    }
    return options.map { option in
      Double(
        takes.count { take in
          guard case .take(let place, _) = steps[take.at].step else { return false }
          return steps[take.at].codes[place] == option
        })
    }
  }

  private func pooled(_ text: Specification, _ unit: Int, in situation: Situation) throws
    -> Forecast
  {
    let longest = Int(text["context"] ?? "") ?? 0
    let strength = Double(text["strength"] ?? "") ?? 5
    let state = replay().states[unit] ?? UnitState()
    let context = Array(state.sequence.suffix(longest))
    var (shared, isBlind) = (situation.options.map { _ in 0.0 }, false)
    for length in 0...context.count {
      let counts = counts(after: Array(context.suffix(length)), of: situation.options)
      let total = counts.reduce(0, +)
      if length == 0 {
        isBlind = total == 0
        shared = counts.map { ($0 + 1) / (total + Double(counts.count)) }
      } else {
        shared = zip(counts, shared).map { ($0 + strength * $1) / (total + strength) }
      }
    }
    var n = Double(state.taken.reduce(0, +))
    if !context.isEmpty {
      let followed = state.sequence.indices.dropFirst(longest).count { index in
        Array(state.sequence[index - longest..<index]) == context
      }
      n = context.count == longest ? Double(followed) : 0
    }
    let base = try forecast(
      try text.nested("base") ?? Specification("beauchamp"), unit, in: situation)
    let sum = base.confidences.reduce(0, +)
    let trusts = !base.isBlind && sum > 0
    return Forecast(
      confidences: zip(base.confidences, shared).map { own, shared in
        trusts ? (n * own / sum + strength * shared) / (n + strength) : shared
      }, isBlind: base.isBlind && isBlind)
  }

  private func mixture(_ text: Specification, _ unit: Int, in situation: Situation) throws
    -> Forecast
  {
    let parameters = ["rate": 1, "share": 0, "floor": 0.01].merging(
      text.parameters.compactMap { p in Double(p.value).map { (p.key, $0) } }
    ) { $1 }
    let (rate, sharing) = (parameters["rate"] ?? 1, parameters["share"] ?? 0)
    let floor = parameters["floor"] ?? 0.01
    let experts = try text.nestedList("experts") ?? []
    func shares(_ forecast: Forecast) -> [Double] {
      let (sum, n) = (forecast.confidences.reduce(0, +), Double(forecast.confidences.count))
      return forecast.confidences.map {
        (1 - floor) * (sum > 0 ? $0 / sum : 1 / n) + floor / n
      }
    }
    var weights = experts.map { _ in 1 / Double(experts.count) }
    var state = UnitState()
    for (index, step) in steps.enumerated() where step.unit == unit {
      if case .take(let option, let time) = step.step {
        let before = PooledHistory(steps: Array(steps[..<index]))
        let moment = Situation(time: time, options: step.codes, features: step.features)
        for (number, expert) in experts.enumerated() {
          let forecast = try before.forecast(expert, unit, in: moment)
          weights[number] *= pow(shares(forecast)[option], rate)
        }
        let sum = weights.reduce(0, +)
        weights = weights.map { (1 - sharing) * $0 / sum + sharing / Double(experts.count) }
      }
      state.codes = step.codes
      state.append(step.step)
      if case .define = step.step { weights = experts.map { _ in 1 / Double(experts.count) } }
      if state.history.present.isEmpty { weights = experts.map { _ in 1 / Double(experts.count) } }
    }
    let forecasts = try experts.map { try forecast($0, unit, in: situation) }
    var confidences = situation.options.map { _ in 0.0 }
    for (weight, forecast) in zip(weights, forecasts) {
      confidences = zip(confidences, shares(forecast)).map { $0 + weight * $1 }
    }
    return Forecast(confidences: confidences, isBlind: forecasts.allSatisfy(\.isBlind))
  }

  /// The regression with a dictionary of texts for the weights.
  private func logistic(_ text: Specification, _ unit: Int, in situation: Situation) -> Forecast {
    let rate = Double(text["rate"] ?? "") ?? 0.1
    let l2 = Double(text["l2"] ?? "") ?? 0.0001
    var weights: [String: (weight: Double, squares: Double)] = [:]
    var scales: [UInt64: Double] = [:]
    /// By option its inputs.
    func inputs(_ state: UnitState, _ situation: Situation) -> [[String: Double]] {
      let total = Double(state.taken.reduce(0, +)) + 1
      return situation.options.indices.map { option in
        let code = situation.options[option]
        let last = state.sequence.last
        var inputs = [
          "share": Double(state.taken[option]) / total, "repeat": last == code ? 1 : 0,
          "\(code) constant": 1, "\(code) after \(last.map(String.init) ?? "none")": 1,
        ]
        for feature in situation.features where feature.value.isFinite && feature.value != 0 {
          let squashed = asinh(feature.value)
          inputs["\(code) if \(feature.code)"] =
            squashed / max(scales[feature.code] ?? 0, abs(squashed))
        }
        return inputs
      }
    }
    func predict(_ inputs: [[String: Double]]) -> [Double] {
      let odds = inputs.map { inputs in
        exp(inputs.reduce(0) { $0 + $1.value * (weights[$1.key]?.weight ?? 0) })
      }
      return odds.map { $0 / odds.reduce(0, +) }
    }
    let (states, takes) = replay()
    for (index, before) in takes {
      guard case .take(let taken, let time) = steps[index].step else { continue }
      let moment = Situation(
        time: time, options: steps[index].codes, features: steps[index].features)
      for feature in moment.features where feature.value.isFinite {
        scales[feature.code] = max(scales[feature.code] ?? 0, abs(asinh(feature.value)))
      }
      let inputs = inputs(before, moment)
      let shares = predict(inputs)
      var gradients: [String: Double] = [:]
      for (option, inputs) in inputs.enumerated() {
        for (key, value) in inputs {
          gradients[key, default: 0] += (shares[option] - (option == taken ? 1 : 0)) * value
        }
      }
      for (key, gradient) in gradients {
        let (weight, squares) = weights[key] ?? (0, 0)
        let sloped = gradient + l2 * weight
        let sum = squares + sloped * sloped
        weights[key] = (weight - rate * sloped / (sum.squareRoot() + 1e-12), sum)
      }
    }
    let now = inputs(states[unit] ?? UnitState(), situation)
    let isBlind = !now.contains { $0.keys.contains { $0.contains(" ") && weights[$0] != nil } }
    return Forecast(confidences: predict(now), isBlind: isBlind)
  }
}

extension SeededGenerator {
  /// A random step of a random unit, which changes what is known of it.
  mutating func unitStep(
    _ units: inout [(state: UnitState, features: [Feature])], at time: inout Int64
  ) -> UnitStep {
    let unit = index(units.count)
    if chance(0.15) { units[unit].features = features() }
    let state = units[unit].state
    let step = step(
      options: state.codes.count, encounters: state.history.encounters, at: &time)
    let entry = UnitStep(
      unit: unit, step: step, codes: state.codes, features: units[unit].features)
    units[unit].state.append(step)
    let names = ["home", "news", "map", "shop", "chat", "settings", "about"].map {
      Feature.code(of: $0)
    }
    switch step {
    case .define(let takes, _, _):
      units[unit].state.codes = Array(names.shuffled(using: &self).prefix(takes.count))
    case .add:
      let free = names.filter { !state.codes.contains($0) }
      units[unit].state.codes.append(pick(free, or: next()))
    case .remove(let option): units[unit].state.codes.remove(at: option)
    default: break
    }
    return entry
  }

  private mutating func features() -> [Feature] {
    var features: [Feature] = []
    if chance(0.7) {
      let text = pick(["fr", "de", "no"], or: "")
      features.append(Feature(kind: "custom", key: "country", text: text))
    }
    if chance(0.7) {
      let number = Double(index(2000) - 1000) / 10
      features.append(Feature(kind: "custom", key: "age", number: number))
    }
    if chance(0.1) {
      let number = pick([Double.nan, .infinity, 0, 1e308, -1e308, .leastNonzeroMagnitude], or: 0)
      features.append(Feature(kind: "custom", key: "odd", number: number))
    }
    return features.sorted { $0.code < $1.code }
  }
}
