internal import Statistics

/// The sum of a few numbers, exact and rounded once; it costs nothing beyond an addition as long as there are two at
/// most.
struct GoalSum: Sendable {
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
