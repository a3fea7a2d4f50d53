/// The takes of each present option, including those of definitions: the state of predictors that only count.
///
/// - Complexity: memory 8 bytes per option, about 90 for five.
struct TakeCounts: Equatable, Sendable, Codable {
  /// The takes by option; never negative, saturating at the largest number.
  private(set) var takes: [Int] = []

  var isSound: Bool { takes.allSatisfy { $0 >= 0 } }

  /// The takes of all options.
  @inline(__always)
  var total: Double {
    var total = 0.0
    for count in takes { total += Double(count) }
    return total
  }

  mutating func define(_ takes: [Int]) {
    self.takes.removeAll(keepingCapacity: true)
    for count in takes { add(count) }
  }

  mutating func add(_ count: Int) { takes.append(max(0, count)) }

  mutating func revise(_ option: Int, _ count: Int) {
    if takes.indices.contains(option) { takes[option] = max(0, count) }
  }

  mutating func remove(_ option: Int) {
    if takes.indices.contains(option) { takes.remove(at: option) }
  }

  @inline(__always)
  mutating func take(_ option: Int) {
    if takes.indices.contains(option) { takes[option] = takes[option].addingCount(1) }
  }
}

/// The learning state of a predictor that only counts takes.
protocol CountLearning: UnitLearning {
  var counts: TakeCounts { get set }
}

extension CountLearning {
  public var optionCount: Int { counts.takes.count }

  public mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
    counts.define(takes)
  }

  public mutating func add(takes: Int, encounters: Int, at time: Int64?) { counts.add(takes) }

  public mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {
    counts.revise(option, takes)
  }

  public mutating func remove(_ option: Int) { counts.remove(option) }

  @inline(__always)
  public mutating func take(_ option: Int, at time: Int64?) { counts.take(option) }
}

extension [Double] {
  /// Replaces the elements by the results of the closure, keeping the allocated memory.
  @inline(__always)
  mutating func refill(_ count: Int, _ value: (Int) -> Double) {
    if self.count != count {
      removeAll(keepingCapacity: true)
      for _ in 0..<count { append(0) }
    }
    var span = mutableSpan
    for place in 0..<count { span[place] = value(place) }
  }

  /// Divides each element.
  @inline(__always)
  mutating func divide(by divisor: Double) {
    var span = mutableSpan
    for place in span.indices { span[place] /= divisor }
  }
}
