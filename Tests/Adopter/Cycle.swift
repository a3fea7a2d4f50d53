import Prediction
import Specifications

/// `cycle:trust=0.9`: whoever goes round the options in their order takes the next one.
struct Cycle: OptionPredictor {
  static let info = SpecificationInfo("cycle", "the next option in order", source: "an example")

  var trust = 0.9

  static var parameters: [Field] {
    Field.number("trust", \.trust, in: 0.5...1, "the confidence in the next option, {range}")
  }

  var beginning: Learning { Learning(trust: trust) }

  /// How many options there are, and which one was taken last.
  struct Learning: UnitLearning {
    let trust: Double
    var optionCount = 0
    var last: Int?

    var isSound: Bool { optionCount >= 0 && last.map { (0..<optionCount).contains($0) } ?? true }

    mutating func apply(_ change: OptionChange, at time: Int64?) {
      let isRemoval = change.removal(from: optionCount) != nil
      optionCount = change.count(after: optionCount)
      if isRemoval || change.startsAnew(leaving: optionCount) { last = nil }
    }

    mutating func take(_ option: Int, at time: Int64?) {
      if (0..<optionCount).contains(option) { last = option }
    }

    func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      guard let last else {
        confidences = Array(repeating: 1 / Double(optionCount), count: optionCount)
        return true
      }
      let rest = (1 - trust) / Double(max(1, optionCount - 1))
      confidences = (0..<optionCount).map { $0 == (last + 1) % optionCount ? trust : rest }
      return false
    }
  }
}
