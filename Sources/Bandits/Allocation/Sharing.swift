extension Allocation {
  /// The same probability for each of some choices.
  static func equal(_ count: Int, refusal: String? = nil) -> Allocation {
    Allocation(
      probabilities: [Double](repeating: 1 / Double(max(1, count)), count: count), refusal: refusal)
  }

  /// All for one choice.
  static func only(_ choice: Int, of count: Int) -> Allocation {
    Allocation(probabilities: (0..<count).map { $0 == choice ? 1 : 0 })
  }

  /// Equal parts for the choices marked, nothing for the others; equal parts for all if none is marked.
  static func shared(among marked: [Bool]) -> Allocation {
    let winners = marked.count { $0 }
    guard winners > 0 else { return .equal(marked.count) }
    return Allocation(probabilities: marked.map { $0 ? 1 / Double(winners) : 0 })
  }

  /// Equal parts for the choices with the largest value: ties are broken at random.
  ///
  /// A value that is no number never wins.
  static func shared(amongLargest values: [Double]) -> Allocation {
    let largest = values.reduce(-Double.infinity) { $1 > $0 ? $1 : $0 }
    return .shared(among: values.map { $0 == largest })
  }

  /// This allocation with the rest of the probability spread evenly: share·p + (1 − share)/K.
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
  /// What no policy could use: a negative count, or a sum that is no finite number. Nil if there is nothing of it.
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

  /// The same for a policy that needs rewards from 0 to 1.
  ///
  /// Rewards outside are seen by sums outside 0 ... n, or by squares that add up to more than the rewards do; a
  /// mixture that hides both is let through, and does no harm but to the meaning.
  var unitFlaw: String? {
    if let flaw { return flaw }
    for (index, arm) in enumerated() {
      let inside = arm.sum >= 0 && arm.sum <= Double(arm.decisions)
      // Rounding of as many sums leaves them apart by far less than a millionth.
      if inside && arm.squares <= arm.sum * (1 + 1e-6) { continue }
      return
        "choice \(index + 1) has rewards outside 0 to 1, of which this policy makes nothing; scale the "
        + "rewards, or use thompson-gaussian or ucb1"
    }
    return nil
  }

  /// The decisions of all, as a real number, so that huge counts do not overflow.
  var totalDecisions: Double { reduce(0) { $0 + Double($1.decisions) } }

  /// The choices never made, each with an equal part; nil when each was made before.
  var unpulledFirst: Allocation? {
    contains { $0.decisions == 0 } ? .shared(among: map { $0.decisions == 0 }) : nil
  }

  /// Equal parts for the choices with the best mean, those never made before the others.
  var greedy: Allocation { unpulledFirst ?? .shared(amongLargest: map(\.mean)) }
}
