import Prediction
import Specifications
import Synchronization
import TestSupport
import Testing

@Suite("Predictors go through studies of units")
struct PredictorRunsTests {
  @Test(
    "each take is predicted from what was known then, unit by unit or side by side",
    arguments: 0..<10)
  func known(chunk: Int) {
    for seed in chunk * 20..<chunk * 20 + 20 {
      var random = SeededGenerator(seed: UInt64(seed))
      var tables = StudyTables()
      let units = (0..<3).map { random.steps(unit: UInt32($0), into: &tables) }
      let delay = random.pick([0, 0, 1, 5, 40], or: 0) as Int64
      let warmUp = random.index(3)
      let expected = units.map { Self.naive($0, tables, delay: delay, warmUp: warmUp) }
      let apart = units.map { $0.map { Self.moved($0, to: 0) } }
      let alone = watched(seed * 2, delay, warmUp, apart, tables)
      let all = units.flatMap { $0 }.enumerated().sorted {
        ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
      }
      let together = watched(seed * 2 + 1, delay, warmUp, [all.map(\.element)], tables)
      for unit in units.indices {
        #expect(alone[UInt64(unit), default: []] == expected[unit], "alone, seed \(seed)")
        #expect(together[UInt64(unit), default: []] == expected[unit], "together, seed \(seed)")
      }
    }
  }

  /// What was told before each forecast, by unit, when the first run is closed after each list of steps.
  private func watched(
    _ id: Int, _ delay: Int64, _ warmUp: Int, _ lists: [[StudyStep]], _ tables: StudyTables
  ) -> [UInt64: [String]] {
    var plan = EvaluationPlan(
      catalog: StudyCatalog(studies: ["s"], options: (0..<9).map { (study: 0, name: "\($0)") }))
    plan.delay = delay
    plan.warmUp = warmUp
    let evaluation = Predictor(Spy(id: id)).evaluation(plan)
    for steps in lists {
      evaluation.apply(steps.span, tables)
      _ = evaluation.close(0)
    }
    return Spy.notes.take(id)
  }

  private static func moved(_ step: StudyStep, to run: UInt32) -> StudyStep {
    var step = step
    step.run = run
    return step
  }

  private static func isTake(_ step: StudyStep) -> Bool {
    step.kind == .take || step.kind == .novelTake
  }

  private static func naive(
    _ steps: [StudyStep], _ tables: StudyTables, delay: Int64, warmUp: Int
  ) -> [String] {
    var forecasts: [String] = []
    for (number, step) in steps.enumerated() where isTake(step) {
      let before = steps[..<number]
      guard before.count(where: { isTake($0) }) >= warmUp else { continue }
      let start = before.lastIndex { $0.kind == .define } ?? 0
      let told = before[start...].filter { isTake($0) && $0.time <= step.time - delay }
      let count =
        tables.options[Int(before[start].place)].names.count
        + before[start...].count { $0.kind == .novelTake }
      forecasts.append(Spy.line(told.map { "\($0.place)@\($0.time)" }, count, step.time))
    }
    return forecasts
  }
}

extension SeededGenerator {
  /// What happens to a study of a unit that has a feature by which it is known.
  fileprivate mutating func steps(unit: UInt32, into tables: inout StudyTables) -> [StudyStep] {
    tables.features.append([Feature(code: UInt64(unit))])
    var time = Int64(index(20))
    var steps = [
      StudyStep(.features, time: time, run: unit, place: UInt32(tables.features.count - 1))
    ]
    var count = 0
    for number in 0..<index(40) {
      time += Int64(index(6))
      let roll = index(20)
      if number == 0 || roll == 0 {
        count = 1 + index(3)
        var table = OptionTable<UInt32>()
        for option in 0..<count { table.append(UInt32(option)) }
        tables.options.append(table)
        let place = UInt32(tables.options.count - 1)
        steps.append(StudyStep(.define, time: time, run: unit, place: place))
      } else if roll == 1 {
        steps.append(StudyStep(.encounter, time: time, run: unit))
      } else {
        let isNovel = roll == 2 && count < 9
        let place = UInt32(isNovel ? count : index(count))
        if isNovel { count += 1 }
        steps.append(
          StudyStep(
            isNovel ? .novelTake : .take, time: time, run: unit, place: place, option: place))
      }
    }
    return steps
  }
}

/// By spy and unit, what it was told before each forecast.
private final class Notes: Sendable {
  private let lines = Mutex<[Int: [UInt64: [String]]]>([:])

  func add(_ line: String, _ spy: Int, _ unit: UInt64) {
    lines.withLock { $0[spy, default: [:]][unit, default: []].append(line) }
  }

  func take(_ spy: Int) -> [UInt64: [String]] {
    lines.withLock { $0.removeValue(forKey: spy) } ?? [:]
  }
}

/// A predictor that writes down what it was told before each forecast.
private struct Spy: OptionPredictor {
  static let info = SpecificationInfo("spy", "what it was told", source: "a test")
  static let notes = Notes()
  var id = 0

  init() {}
  init(id: Int) { self.id = id }

  static var parameters: [Field] { Field.integer("id", \.id, in: 0...Int.max, "the number") }

  var beginning: Learning { Learning(id: id) }

  static func line(_ told: [String], _ count: Int, _ time: Int64?) -> String {
    "\(told.joined(separator: " ")) of \(count) at \(time ?? -1)"
  }

  struct Learning: OptionLearning {
    let id: Int
    var optionCount = 0
    var told: [String] = []
    var isSound: Bool { true }

    mutating func apply(_ change: OptionChange, at time: Int64?) {
      switch change {
      case .define(let takes, _): (optionCount, told) = (takes.count, [])
      case .add: optionCount += 1
      case .revise, .raise, .remove: break
      }
    }
    mutating func take(_ option: Int, in situation: Situation, pool: inout NoPool) {
      told.append("\(option)@\(situation.time ?? -1)")
    }

    func forecast(into confidences: inout [Double], in situation: Situation, pool: NoPool) -> Bool {
      let unit = situation.features.first?.code ?? .max
      let line = Spy.line(told, optionCount, situation.time)
      Spy.notes.add(line, id, unit)
      confidences = [Double](repeating: 0, count: optionCount)
      return true
    }
  }
}
