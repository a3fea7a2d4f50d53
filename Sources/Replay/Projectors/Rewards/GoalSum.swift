internal import Statistics

/// The sum of a few numbers, exact and rounded once. The first two need no memory beyond this; the others are in an
/// exact sum among those of ``GoalSums``, so that this is plain bytes.
struct GoalSum: Sendable {
  fileprivate(set) var count: Int32 = 0
  fileprivate var exact: Int32 = -1
  fileprivate var first = 0.0
  fileprivate var second = 0.0
}

/// Where sums of more than two numbers are kept, until nobody needs any of them.
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

  mutating func removeAll() {
    if !exact.isEmpty { exact.removeAll(keepingCapacity: true) }
  }
}
