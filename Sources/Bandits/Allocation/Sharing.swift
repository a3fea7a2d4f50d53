extension Allocation {
  /// Returns equal probabilities for a number of choices.
  static func equal(_ count: Int, refusal: String? = nil) -> Allocation {
    Allocation(
      probabilities: [Double](repeating: 1 / Double(max(1, count)), count: count), refusal: refusal)
  }

  /// Returns probability 1 for one choice.
  static func only(_ choice: Int, of count: Int) -> Allocation {
    Allocation(probabilities: (0..<count).map { $0 == choice ? 1 : 0 })
  }

  /// Returns equal probabilities for some choices of a number of them.
  static func shared(among choices: [Int], of count: Int) -> Allocation {
    var probabilities = [Double](repeating: 0, count: count)
    for choice in choices { probabilities[choice] = 1 / Double(choices.count) }
    return Allocation(probabilities: probabilities)
  }

  /// Returns equal probabilities for the marked choices; for all choices if none is marked.
  static func shared(among marked: [Bool]) -> Allocation {
    let winners = marked.count { $0 }
    guard winners > 0 else { return .equal(marked.count) }
    return Allocation(probabilities: marked.map { $0 ? 1 / Double(winners) : 0 })
  }

  /// Returns equal probabilities for the choices with the largest value, so that ties are broken at random.
  ///
  /// NaN never wins.
  static func shared(amongLargest values: [Double]) -> Allocation {
    let largest = values.reduce(-Double.infinity) { $1 > $0 ? $1 : $0 }
    return .shared(among: values.map { $0 == largest })
  }

  /// Returns this allocation with the rest of the probability spread evenly: share·p + (1 − share)/K.
  func mixed(share: Double) -> Allocation {
    let floor = (1 - share) / Double(max(1, probabilities.count))
    return Allocation(
      probabilities: probabilities.map { floor + share * $0 }, error: share * error,
      refusal: refusal)
  }
}

extension ArmTally {
  /// The mean reward; 0 before the first decision.
  var mean: Double { decisions > 0 ? sum / Double(decisions) : 0 }
}

extension [ArmTally] {
  /// Why no policy can use the tallies: a negative count or a sum that is not finite. Nil if they are valid.
  var flaw: String? {
    for (index, arm) in enumerated() {
      if arm.decisions < 0 || arm.rewarded < 0 {
        return "choice \(index + 1) has a negative count; count decisions and rewards from 0"
      }
      if !arm.sum.isFinite || !arm.squares.isFinite {
        return
          "the rewards of choice \(index + 1) have no finite sum; leave out the one that has none"
      }
    }
    return nil
  }

  /// Why a policy that needs rewards in 0 ... 1 cannot use the tallies; nil if it can.
  ///
  /// Rewards outside the range show in sums outside 0 ... n, or in squares that add up to more than the rewards do; a
  /// mixture that hides both goes undetected, which is harmless but for the interpretation.
  var unitFlaw: String? {
    if let flaw { return flaw }
    for (index, arm) in enumerated() {
      let inside = arm.sum >= 0 && arm.sum <= Double(arm.decisions)
      // The rounding error of the sums is far below one millionth.
      if inside && arm.squares <= arm.sum * (1 + 1e-6) { continue }
      return
        "choice \(index + 1) has rewards outside 0 to 1, which this policy does not support; scale the "
        + "rewards, or use thompson-gaussian or ucb1"
    }
    return nil
  }

  /// The total number of decisions, as a Double so that huge counts do not overflow.
  var totalDecisions: Double { reduce(0) { $0 + Double($1.decisions) } }

  /// Equal probabilities for the choices never made; nil if there are none.
  var unpulledFirst: Allocation? {
    contains { $0.decisions == 0 } ? .shared(among: map { $0.decisions == 0 }) : nil
  }

  /// Equal probabilities for the choices with the best mean; choices never made come first.
  var greedy: Allocation { unpulledFirst ?? .shared(amongLargest: map(\.mean)) }
}
