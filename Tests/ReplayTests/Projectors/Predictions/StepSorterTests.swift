import Prediction
import TestSupport
import Testing

@testable import Replay

@Suite("Steps of many units are sorted by time and unit")
struct StepSorterTests {
  @Test("as by comparing them one by one", arguments: 0..<20)
  func twin(chunk: Int) {
    var sorter = StepSorter()
    for seed in chunk * 20..<chunk * 20 + 20 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let units = (0..<1 + generator.index(6)).map { _ in UInt64(generator.index(4)) << 62 }
      let width = generator.pick([1, 5, 3_000, 40_000_000, Int.max], or: 1)
      let start = generator.pick([0, -7, Int64.min], or: 0)
      let steps = (0..<generator.index(300)).map { number in
        StudyStep(
          .take, time: start &+ Int64(generator.index(width)),
          run: UInt32(generator.index(units.count)), option: UInt32(number))
      }
      let expected = steps.enumerated().sorted { a, b in
        let (unit, other) = (units[Int(a.element.run)], units[Int(b.element.run)])
        return (a.element.time, unit, a.offset) < (b.element.time, other, b.offset)
      }
      #expect(
        sorter.sort(steps, units).map(\.option) == expected.map(\.element.option), "seed \(seed)")
    }
  }

  @Test("and slices hold them in this order, whatever the cuts and the memory", arguments: 0..<20)
  func slices(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let cuts = (0..<generator.index(6)).map { _ in
      StepKey(time: Int64(generator.index(50)), unit: UInt64(generator.index(4)))
    }.sorted()
    let memory = generator.pick([Int.max, 1_000, 0], or: 0)
    var parts = (0..<2).map { _ in StepPart(cuts: cuts, memoryLimit: memory, folder: "/tmp") }
    var expected: [(key: StepKey, number: UInt32)] = []
    for bucket in 0..<4 {
      parts[bucket % 2].begin(bucket: bucket)
      for _ in 0..<generator.index(5) {
        let unit = UInt64(expected.count)
        let steps = (0..<generator.index(20)).map { _ in
          StudyStep(.encounter, time: Int64(generator.index(50)))
        }.map { step in
          var step = step
          step.option = UInt32(expected.count)
          expected.append((StepKey(time: step.time, unit: unit), step.option))
          return step
        }
        try parts[bucket % 2].add(steps, runs: 1, of: unit)
      }
    }
    let slices = try StepSlices(parts, buckets: 4, jobs: 2, folder: "/tmp")
    var numbers: [UInt32] = []
    try slices.forEach { steps in
      for index in steps.indices { numbers.append(steps[index].option) }
    }
    let sorted = expected.sorted { ($0.key, $0.number) < ($1.key, $1.number) }
    #expect(numbers == sorted.map(\.number), "seed \(seed)")
  }
}
