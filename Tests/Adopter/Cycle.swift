import Prediction
import Specifications

/// `cycle:trust=0.9`: whoever goes round the options in their order takes the next one.
struct Cycle: OptionPredictor {
  private static let trust = Parameter.number(
    "trust", default: 0.9, in: 0.5...1, "the confidence in the next option, {range}")

  static let info = SpecificationInfo(
    "cycle", "the next option in order", [trust], source: "an example")

  private let trust: Double

  init(trust: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.trust.written(trust)))
  }

  init(_ specification: Specification) throws(SpecificationError) {
    trust = try Self.trust.value(in: specification)
  }

  var specification: Specification { Self.info.specification(Self.trust.written(trust)) }
  var beginning: Learning { Learning(trust: trust) }

  /// How many options there are, and which one was taken last.
  struct Learning: UnitLearning {
    let trust: Double
    var optionCount = 0
    var last: Int?

    var isSound: Bool { optionCount >= 0 && last.map { (0..<optionCount).contains($0) } ?? true }

    mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
      (optionCount, last) = (takes.count, nil)
    }

    mutating func add(takes: Int, encounters: Int, at time: Int64?) { optionCount += 1 }
    mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {}

    mutating func remove(_ option: Int) {
      if (0..<optionCount).contains(option) { (optionCount, last) = (optionCount - 1, nil) }
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
