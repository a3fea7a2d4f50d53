import Prediction
import Specifications
import Statistics
import TestSupport

/// One thing that can happen to a study. Encounters are counts of the whole study after the event.
enum Step: Sendable {
  case define([Int], Int, Int64?)
  case add(Int, encounters: Int, Int64?)
  case revise(Int, Int, encounters: Int, Int64?)
  case remove(Int)
  case take(Int, Int64?)
  case encounter(Int64?)
}

extension OptionLearning {
  /// Learns from the step, given how many encounters the study had before it.
  mutating func learn(
    _ step: Step, encounters before: Int, in situation: Situation, pool: inout Pool
  ) {
    switch step {
    case .define(let takes, let encounters, let time):
      apply(.define(takes: takes, encounters: encounters), at: time)
    case .add(let takes, let encounters, let time):
      if encounters > before { apply(.raise(by: encounters - before), at: time) }
      apply(.add(takes: takes, encounters: encounters), at: time)
    case .revise(let option, let takes, let encounters, let time):
      if encounters > before { apply(.raise(by: encounters - before), at: time) }
      apply(.revise(option, takes: takes, encounters: encounters), at: time)
    case .remove(let option): apply(.remove(option), at: nil)
    case .take(let option, let time):
      var situation = situation
      situation.time = time
      take(option, in: situation, pool: &pool)
    case .encounter(let time): encounter(at: time)
    }
  }
}

extension OptionLearning where Pool == NoPool {
  /// Learns from the step of a unit of which nothing else is known.
  mutating func learn(_ step: Step, encounters before: Int) {
    var none = NoPool()
    let situation = Situation(places: optionCount, at: nil)
    learn(step, encounters: before, in: situation, pool: &none)
  }
}

/// The whole history of a study, from which everything is computed anew by the definitions.
struct History {
  struct Entry {
    var time: Int64?
    var count: Int
    /// How many takes of the study came before, the one that is counted among them.
    var event = 0
  }

  /// What was there when something was taken.
  struct Moment {
    var present: [Int]
    var taken: [Int]
  }

  /// An option that is or was there; a number never comes back.
  struct Known {
    var taken = 0
    var takes: [Entry] = []
    var encounters: [Entry] = []
    /// The date that each single take had then.
    var moments: [Int64?] = []
  }

  var known: [Known] = []
  var present: [Int] = []
  var sequence: [Int] = []
  /// Before each take of the sequence.
  var moments: [Moment] = []
  var encounters = 0
  var latest: Int64?

  init(_ steps: [Step]) {
    for step in steps { append(step) }
  }

  mutating func append(_ step: Step) {
    switch step {
    case .define(let takes, let encounters, let time):
      self = History([])
      for count in takes { add(count, encounters, date(time)) }
      if takes.isEmpty { latest = nil }
    case .add(let takes, let encounters, let time):
      let time = date(time)
      raise(encounters - self.encounters, time)
      add(takes, encounters, time)
    case .revise(let option, let takes, let encounters, let time):
      let time = date(time)
      raise(encounters - self.encounters, time)
      self.encounters = encounters
      let id = present[option]
      known[id] = Known(
        taken: takes, takes: [entry(time, takes)], encounters: [entry(time, encounters)])
    case .remove(let option):
      present.remove(at: option)
      if present.isEmpty { self = History([]) }
    case .take(let option, let time):
      let time = date(time)
      let id = present[option]
      moments.append(Moment(present: present, taken: present.map { known[$0].taken }))
      sequence.append(id)
      known[id].taken += 1
      known[id].moments.append(time)
      known[id].takes.append(entry(time, 1))
      raise(1, time)
    case .encounter(let time):
      if !present.isEmpty { raise(1, date(time)) }
    }
  }

  private mutating func add(_ takes: Int, _ encounters: Int, _ time: Int64?) {
    present.append(known.count)
    known.append(
      Known(
        taken: takes, takes: [entry(time, takes)], encounters: [entry(time, encounters)]))
    self.encounters = encounters
  }

  private mutating func raise(_ count: Int, _ time: Int64?) {
    guard count > 0, !present.isEmpty else { return }
    for id in present { known[id].encounters.append(entry(time, count)) }
    encounters += count
  }

  private func entry(_ entry: Entry, at time: Int64) -> Entry {
    Entry(time: time, count: entry.count, event: entry.event)
  }

  private func entry(_ time: Int64?, _ count: Int) -> Entry {
    Entry(time: time, count: count, event: sequence.count)
  }

  /// The date that counts; the first one that there is also dates what came before it.
  private mutating func date(_ time: Int64?) -> Int64? {
    guard let time else { return latest }
    if latest == nil {
      for id in known.indices {
        known[id].takes = known[id].takes.map { entry($0, at: time) }
        known[id].encounters = known[id].encounters.map { entry($0, at: time) }
      }
    }
    latest = max(time, latest ?? time)
    return time
  }
}

extension History {
  /// What a predictor expects by its definition.
  func forecast(_ predictor: Predictor, at time: Int64?) -> Forecast {
    let specification = predictor.specification
    let order = specification["order"].flatMap { Int($0) } ?? 0
    let days = specification["days"].flatMap { Double($0) } ?? 0
    switch specification.name {
    case "beauchamp": return beauchamp()
    case "calendar": return calendar(specification, at: time)
    case "ctw": return contextWeighting(depth: specification["depth"].flatMap { Int($0) } ?? 0)
    case "frequency": return frequency(specification["smoothing"].flatMap { Double($0) } ?? 0)
    case "half-life": return halfLife(days: days, at: time)
    case "last": return last()
    case "markov":
      let smoothing = specification["smoothing"].flatMap { Double($0) }
      return smoothing.map { markov(order: order, smoothing: $0) } ?? markov(order: order)
    case "ppm": return ppm(order: order)
    case "recency": return recency(specification["events"].flatMap { Double($0) } ?? 0)
    case "thompson": return thompson()
    default:
      let share = 1 / Double(present.count)
      return Forecast(confidences: present.map { _ in share }, isBlind: true)
    }
  }

  private func beauchamp() -> Forecast {
    let confidences = present.map { Double(known[$0].taken) / Double(encounters + 1) }
    return Forecast(confidences: confidences, isBlind: encounters == 0)
  }

  private func halfLife(days: Double, at time: Int64?) -> Forecast {
    let now = latest.map { max(time ?? $0, $0) } ?? 0
    func weight(_ entries: [Entry]) -> Double {
      entries.reduce(0) { sum, entry in
        let age = Double(now - (entry.time ?? now)) / 86_400e6
        return sum + Double(entry.count) * Self.half(to: age / days)
      }
    }
    let totals = present.map { weight(known[$0].encounters) }
    let takes = present.map { weight(known[$0].takes) }
    return Forecast(
      confidences: zip(takes, totals).map { $0 / ($1 + 1) }, isBlind: !totals.contains { $0 > 0 })
  }

  /// 2^(-x), by halving, and a series for the rest.
  static func half(to x: Double) -> Double {
    let whole = x.rounded(.down)
    guard whole < 1100 else { return 0 }
    var (term, sum) = (1.0, 1.0)
    for n in 1...30 {
      term *= -(x - whole) * 0.693147180559945309417 / Double(n)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: -Int(whole), significand: 1)
  }

  private func last() -> Forecast {
    let pairs = zip(sequence, sequence.dropFirst())
    let repeats = pairs.filter { $0 == $1 }.count
    let confidence = Double(repeats) / Double(max(0, sequence.count - 1) + 1)
    return Forecast(
      confidences: present.map { $0 == sequence.last ? confidence : 0 },
      isBlind: !present.contains { $0 == sequence.last })
  }

  /// How often each present option followed the last `length` takes; nil when there were not so many.
  private func followUps(length: Int) -> [Int]? {
    guard length > 0 else { return present.map { known[$0].taken } }
    guard sequence.count >= length else { return nil }
    let context = Array(sequence.suffix(length))
    var counts = present.map { _ in 0 }
    for end in length..<max(length, sequence.count) {
      if Array(sequence[end - length..<end]) == context,
        let option = present.firstIndex(of: sequence[end])
      {
        counts[option] += 1
      }
    }
    return counts
  }

  private func markov(order: Int, smoothing: Double) -> Forecast {
    var confidences = present.map { _ in 1 / Double(present.count) }
    for length in 0...order {
      guard let counts = followUps(length: length) else { break }
      let total = Double(counts.reduce(0, +)) + smoothing
      confidences = zip(counts, confidences).map { (Double($0) + smoothing * $1) / total }
    }
    return Forecast(
      confidences: confidences, isBlind: !present.contains { known[$0].taken > 0 })
  }

  private func markov(order: Int) -> Forecast {
    for length in stride(from: order, through: 0, by: -1) {
      guard let counts = followUps(length: length), counts.contains(where: { $0 > 0 }) else {
        continue
      }
      let total = counts.reduce(0, +)
      return Forecast(
        confidences: counts.map { Double($0) / Double(total + 1) }, isBlind: false)
    }
    return Forecast(confidences: present.map { _ in 0 }, isBlind: true)
  }

  private func ppm(order: Int) -> Forecast {
    var confidences: [Double?] = present.map { _ in nil }
    var mass = 1.0
    for length in stride(from: order, through: 0, by: -1) {
      guard let counts = followUps(length: length) else { continue }
      let open = present.indices.filter { confidences[$0] == nil }
      let seen = open.filter { counts[$0] > 0 }
      guard !seen.isEmpty else { continue }
      let n = Double(seen.reduce(0) { $0 + counts[$1] })
      let d = seen.count == open.count ? 0 : Double(seen.count)
      for option in seen { confidences[option] = mass * Double(counts[option]) / (n + d) }
      mass = mass * d / (n + d)
    }
    let open = Double(confidences.count { $0 == nil })
    return Forecast(
      confidences: confidences.map { $0 ?? mass / open },
      isBlind: !confidences.contains { $0 != nil })
  }
}

extension SeededGenerator {
  /// A random step that fits a study with so many options and encounters, at about the time.
  mutating func step(options: Int, encounters: Int, at time: inout Int64) -> Step {
    // Days pass, nothing passes, or a clock is set back; some events have no date.
    if chance(0.5) { time += Int64(index(400_000_000)) * 1000 }
    if chance(0.05) { time -= Int64(index(400_000_000)) * 1000 }
    let date: Int64? = chance(0.9) ? time : nil
    let roll = index(100)
    if options == 0 || roll < 3 {
      let count = index(6)
      let encounters = count == 0 ? 0 : index(5)
      return .define((0..<count).map { _ in index(encounters + 1) }, encounters, date)
    }
    let more = encounters + (chance(0.5) ? index(4) : 0)
    switch roll {
    case ..<8: return .add(index(more + 1), encounters: more, date)
    case ..<12: return .revise(index(options), index(more + 1), encounters: more, date)
    case ..<16: return .remove(index(options))
    case ..<25: return .encounter(date)
    default: return .take(index(options), date)
    }
  }
}
