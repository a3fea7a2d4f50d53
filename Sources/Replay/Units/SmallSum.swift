internal import Statistics

/// The exact sum of a few numbers, rounded once; for up to two numbers it costs no more than an addition. Where
/// millions of sums are created and discarded, ``GoalSums`` keeps the exact ones in reusable memory.
struct SmallSum: Sendable {
  private(set) var count = 0
  private var first = 0.0
  private var second = 0.0
  /// The sum of all, once there are more than two; otherwise empty.
  private var exact: [ExactSum] = []

  mutating func add(_ number: Double) {
    switch count {
    case 0: first = number
    case 1: second = number
    case 2: exact = [ExactSum([first, second, number])]
    default: exact[0].add(number)
    }
    count += 1
  }

  var value: Double { exact.first?.value ?? first + second }
}
