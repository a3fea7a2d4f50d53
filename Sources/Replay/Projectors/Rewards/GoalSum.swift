internal import Statistics

/// The exact sum of a few numbers, rounded once. The first two are stored inline; further ones are added to an exact
/// sum in ``GoalSums``, so that this value is plain bytes.
struct GoalSum: Sendable {
  fileprivate(set) var count: Int32 = 0
  fileprivate var exact: Int32 = -1
  fileprivate var first = 0.0
  fileprivate var second = 0.0
}

/// The storage for sums of more than two numbers, all of which are released together.
struct GoalSums: Sendable {
  private var exact: [ExactSum] = []

  mutating func add(_ number: Double, to sum: inout GoalSum) {
    switch sum.count {
    case 0: sum.first = number
    case 1: sum.second = number
    case 2:
      sum.exact = Int32(exact.count)
      exact.append(ExactSum([sum.first, sum.second, number]))
    default: exact[Int(sum.exact)].add(number)
    }
    sum.count += 1
  }

  func value(of sum: GoalSum) -> Double {
    switch sum.count {
    case 0: 0
    case 1: sum.first
    case 2: sum.first + sum.second
    default: exact[Int(sum.exact)].value
    }
  }

  /// Adds the numbers of a sum to an exact one, without rounding.
  func add(_ sum: GoalSum, to total: inout ExactSum) {
    switch sum.count {
    case 0: break
    case 1: total.add(sum.first)
    case 2:
      total.add(sum.first)
      total.add(sum.second)
    default: total.merge(exact[Int(sum.exact)])
    }
  }

  mutating func removeAll() {
    if !exact.isEmpty { exact.removeAll(keepingCapacity: true) }
  }
}
