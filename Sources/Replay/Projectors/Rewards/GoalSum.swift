internal import Statistics

/// The sum of a few numbers, exact and rounded once; it costs nothing beyond an addition as long as there are two at
/// most.
struct GoalSum: Sendable {
  private(set) var count = 0
  private var first = 0.0
  private var others: [Double] = []

  mutating func add(_ number: Double) {
    if count == 0 { first = number } else { others.append(number) }
    count += 1
  }

  /// Adds the numbers one by one, none of them rounded.
  func add(to sum: inout ExactSum) {
    guard count > 0 else { return }
    sum.add(first)
    for other in others { sum.add(other) }
  }

  var value: Double {
    switch others.count {
    case 0: first
    case 1: first + others[0]
    default: ExactSum([first] + others).value
    }
  }
}
