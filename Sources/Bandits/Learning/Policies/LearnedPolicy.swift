public import Specifications
internal import Statistics

/// A policy that was learned from a log, as a value: the same features always give the same probabilities.
public struct LearnedPolicy: Sendable, Hashable {
  /// How probabilities follow from features.
  package enum Rule: Sendable, Hashable {
    /// By slot, then variant.
    case table([[Double]])
    /// The weight of each column.
    case softmax([Double])
    /// A tree whose leaves have the probability of each variant.
    case tree(PolicyTree)
  }

  /// The learner, such as `softmax-linear:objective=dr`.
  public let learner: Specification
  /// The objective by which it was learned.
  public let objective: PolicyObjective
  /// The slots, variants and features. Slots and variants of a decision are given by their indices here.
  public let problem: PolicyProblem
  package let rule: Rule

  package init(
    _ learner: Specification, _ objective: PolicyObjective, _ problem: PolicyProblem, _ rule: Rule
  ) {
    (self.learner, self.objective, self.problem, self.rule) = (learner, objective, problem, rule)
  }

  /// Whether probabilities depend on features.
  public var usesFeatures: Bool {
    if case .table = rule { false } else { true }
  }

  /// Computes the probability of each choice; without allocation once the buffer has grown.
  ///
  /// A table or tree gives each choice its share of the probability of all choices. If that is zero, all choices are
  /// equally likely; a variant that the policy does not know has none.
  ///
  /// - Parameters:
  ///   - slot: The index of the slot; any other number for a slot that the policy does not know, in which a table makes
  ///     all choices equally likely.
  ///   - choices: The indices of the variants; any other number for a variant that the policy does not know.
  ///   - features: The features of each choice; one vector suffices if ``FeatureSpecification/isShared``. With
  ///     too few vectors, scores are all the same.
  ///   - probabilities: The probability of each choice, which replace what the buffer held.
  public func probabilities(
    slot: Int, choices: [Int], _ features: [FeatureVector], into probabilities: inout [Double]
  ) {
    probabilities.removeAll(keepingCapacity: true)
    switch rule {
    case .softmax(let weights):
      // With the same features for all choices, so are the scores.
      let isShared = features.count < choices.count
      for place in choices.indices {
        probabilities.append(isShared ? 0 : features[place].dot(weights))
      }
      Softmax.normalize(&probabilities)
    case .table(let table):
      Self.share(table.indices.contains(slot) ? table[slot] : [], choices, &probabilities)
    case .tree(let tree):
      let leaf = tree.leaf(features.first ?? FeatureVector())
      Self.share(tree.leaves[leaf], choices, &probabilities)
    }
  }

  /// Divides the probabilities of the choices by their sum.
  private static func share(
    _ shares: [Double], _ choices: [Int], _ probabilities: inout [Double]
  ) {
    var sum = 0.0
    for choice in choices {
      let share = shares.indices.contains(choice) ? shares[choice] : 0
      sum += share
      probabilities.append(share)
    }
    for place in probabilities.indices {
      probabilities[place] = sum > 0 ? probabilities[place] / sum : 1 / Double(choices.count)
    }
  }

  /// The softmax function.
  package enum Softmax {
    /// Replaces scores by probabilities proportional to their exponentials. Scores are clamped to ±1e300, and a NaN,
    /// the difference of infinite products, is 0.
    @inline(__always)
    package static func normalize(_ scores: inout [Double]) {
      var greatest = -1e300
      for place in scores.indices {
        let score = scores[place]
        scores[place] = score.isNaN ? 0 : min(max(score, -1e300), 1e300)
        greatest = max(greatest, scores[place])
      }
      var sum = 0.0
      for place in scores.indices {
        scores[place] = Double.exp(scores[place] - greatest)
        sum += scores[place]
      }
      for place in scores.indices { scores[place] /= sum }
    }
  }
}
