/// The takes of each present option, including those of definitions: the state of predictors that only count.
///
/// - Complexity: memory 8 bytes per option, about 90 for five.
struct TakeCounts: Equatable, Sendable, Codable {
  var takes: [Int] = []
}

/// The learning state of a predictor that only counts takes.
protocol CountLearning: UnitLearning {
  var counts: TakeCounts { get set }
}

extension CountLearning {
  public var optionCount: Int { counts.takes.count }

  public var isSound: Bool { counts.takes.allSatisfy { $0 >= 0 } }

  public mutating func apply(_ change: OptionChange, at time: Int64?) { counts.takes.apply(change) }

  @inline(__always)
  public mutating func take(_ option: Int, at time: Int64?) {
    guard counts.takes.indices.contains(option) else { return }
    counts.takes[option] = counts.takes[option].addingCount(1)
  }
}

/// The takes of the present options, including those of definitions: never negative, saturating at the largest number.
extension [Int] {
  @inline(__always)
  mutating func apply(_ change: OptionChange) {
    switch change {
    case .define(let takes, _):
      removeAll(keepingCapacity: true)
      for count in takes { append(Swift.max(0, count)) }
    case .add(let count, _): append(Swift.max(0, count))
    case .revise(let option, let count, _):
      if indices.contains(option) { self[option] = Swift.max(0, count) }
    case .raise: break
    case .remove(let option): if indices.contains(option) { remove(at: option) }
    }
  }

  /// The takes of all options.
  @inline(__always)
  var total: Double { reduce(0) { $0 + Double($1) } }
}
