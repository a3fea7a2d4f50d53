import Prediction
import TestSupport
import Testing

@Suite("Tables of options")
struct OptionTableTests {
  private func table(_ rows: [(Int, Int)], encountered: Int) -> OptionTable<Int> {
    var table = OptionTable<Int>()
    for (name, taken) in rows { table.append(name, taken: taken) }
    table.setEncountered(encountered)
    return table
  }

  @Test("count takes and encounters, each name once")
  func counting() {
    var table = table([(7, 0), (9, 1)], encountered: 2)
    let isNew = table.append(7)
    #expect(!isNew)
    table.take(at: 0)
    table.encounter()
    table.take(at: 2)
    table.setTaken(5, at: -1)
    table.remove(at: 2)
    #expect(table == self.table([(7, 1), (9, 1)], encountered: 4))
    #expect(table.place(of: 9) == 1 && table.place(of: 8) == nil)
    table.remove(at: 0)
    #expect(table.place(of: 9) == 0)
    table.remove(at: 0)
    table.encounter()
    #expect(table == OptionTable())
    table.setEncountered(3)
    #expect(table.encountered == 0)
  }

  @Test("counts stay at the largest number")
  func largest() {
    var table = table([(1, .max)], encountered: .max)
    table.take(at: 0)
    table.encounter()
    #expect(table.taken == [.max] && table.encountered == .max)
  }

  @Test(
    "a learner that follows a table knows the same as one that is told each step", arguments: 0..<10
  )
  func changes(chunk: Int) throws {
    for seed in (chunk * 50)..<(chunk * 50 + 50) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let name = generator.pick(PredictorTwinTests.predictors, or: "beauchamp")
      let predictor = try Predictors.named(name)
      var (told, following) = (predictor.beginning, predictor.beginning)
      var table = OptionTable<Int>()
      var (time, nextName) = (Int64(0), 0)
      for number in 0..<generator.index(50) {
        let before = table
        let step = generator.step(
          options: table.names.count, encounters: table.encountered, at: &time)
        told.learn(step, encounters: table.encountered)
        if let date = table.follow(step, nextName: &nextName) {
          following.change(from: before, to: table, at: date)
        } else {
          following.learn(step, encounters: before.encountered)
        }
        // A revision that repeats the counts is told as one, and seen in the table as none.
        if case .revise(let option, let takes, _, _) = step, before.taken[option] == takes {
          following = told
        }
        #expect(following == told, "\(name), seed \(seed), step \(number): \(step)")
      }
    }
  }

  @Test("a learner begins anew when the table cannot come from changes of single options")
  func anew() throws {
    let old = table([(1, 2), (2, 1)], encountered: 4)
    var learning = try Predictor.markov().beginning
    learning.define(old, at: 0)
    learning.take(0, at: 1)
    learning.take(1, at: 1)
    for new in [table([(2, 2), (1, 3)], encountered: 6), table([(1, 1), (2, 1)], encountered: 3)] {
      var (changed, defined) = (learning, learning)
      changed.change(from: table([(1, 3), (2, 2)], encountered: 6), to: new, at: 5)
      defined.define(new, at: 5)
      #expect(changed == defined)
    }
  }
}

extension OptionTable<Int> {
  /// What a step makes of the table.
  ///
  /// - Returns: The date of the step when it changes options; nil for takes, encounters and definitions.
  fileprivate mutating func follow(_ step: Step, nextName: inout Int) -> Int64?? {
    switch step {
    case .define(let takes, let encounters, _):
      self = OptionTable()
      for count in takes {
        append(nextName, taken: count)
        nextName += 1
      }
      setEncountered(encounters)
      return nil
    case .add(let takes, let encounters, let time):
      append(nextName, taken: takes)
      nextName += 1
      setEncountered(encounters)
      return .some(time)
    case .revise(let option, let takes, let encounters, let time):
      setTaken(takes, at: option)
      setEncountered(encounters)
      return .some(time)
    case .remove(let option):
      remove(at: option)
      return .some(nil)
    case .take(let option, _):
      take(at: option)
      return nil
    case .encounter:
      encounter()
      return nil
    }
  }
}
