import Prediction
import TestSupport

/// What happened to a few studies of a few units, drawn at random.
struct RandomStudyLog {
  /// A run's steps in their order, all with the number of the run.
  var runs: [[StudyStep]] = []
  var tables = StudyTables()
  /// Two studies, whose options take turns.
  let catalog = StudyCatalog(
    studies: ["breakfast", "route"],
    options: (0..<12).map { (study: UInt32($0 % 2), name: "option \($0)") },
    values: [nil, "young", "old"])

  init(_ generator: inout SeededGenerator) {
    for unit in 0..<(1 + generator.index(4)) {
      for study in 0..<2 where generator.chance(0.8) {
        let value = UInt32(generator.index(3))
        addRun(study: study, value: value, start: Int64(unit), &generator)
      }
    }
  }

  /// All steps by time, those of the same time by the number of the run.
  var sideBySide: [StudyStep] {
    runs.joined().enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    .map(\.element)
  }

  private mutating func addRun(
    study: Int, value: UInt32, start: Int64, _ generator: inout SeededGenerator
  ) {
    let names = (0..<6).map { UInt32(study + 2 * $0) }
    var table = OptionTable<UInt32>()
    var (time, value, steps) = (start, value, [StudyStep]())
    for _ in 0..<generator.index(25) {
      if generator.chance(0.7) { time += Int64(generator.index(40)) }
      if generator.chance(0.1) { value = UInt32(generator.index(3)) }
      func step(_ kind: StudyStep.Kind, place: Int = 0, option: UInt32 = 0) -> StudyStep {
        StudyStep(
          kind, time: time, run: UInt32(runs.count), study: UInt32(study), value: value,
          place: UInt32(place), option: option)
      }
      switch generator.index(100) {
      case ..<10:
        table = definition(of: names, &generator)
        tables.options.append(table)
        steps.append(step(.define, place: tables.options.count - 1))
      case ..<20:
        tables.options.append(table)
        change(&table, names, &generator)
        tables.options.append(table)
        steps.append(step(.change, place: tables.options.count - 1))
      case ..<25:
        table.encounter()
        steps.append(step(.encounter))
      case ..<28:
        tables.features.append([Feature(code: UInt64(generator.index(5)))])
        steps.append(step(.features, place: tables.features.count - 1))
      default:
        // Few favourites, so that something can be learned.
        let name = names[min(generator.index(6), generator.index(6))]
        let isNovel = table.append(name)
        let place = table.place(of: name) ?? 0
        table.take(at: place)
        steps.append(step(isNovel ? .novelTake : .take, place: place, option: name))
      }
    }
    runs.append(steps)
  }

  private func definition(of names: [UInt32], _ generator: inout SeededGenerator) -> OptionTable<
    UInt32
  > {
    var table = OptionTable<UInt32>()
    let encounters = generator.index(4)
    for name in names.shuffled(using: &generator).prefix(generator.index(6)) {
      table.append(name, taken: generator.index(encounters + 1))
    }
    table.setEncountered(encounters)
    return table
  }

  private func change(
    _ table: inout OptionTable<UInt32>, _ names: [UInt32], _ generator: inout SeededGenerator
  ) {
    let count = table.names.count
    switch generator.index(3) {
    case 0 where count > 0: table.remove(at: generator.index(count))
    case 1 where count > 0: table.setTaken(generator.index(5), at: generator.index(count))
    default: table.append(generator.pick(names, or: 0), taken: generator.index(3))
    }
    if generator.chance(0.3) { table.setEncountered(table.encountered + generator.index(3)) }
  }
}
