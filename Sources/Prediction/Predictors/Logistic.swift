public import Specifications
internal import Statistics

/// Logistic regression on the features of the unit, learned online from all units together.
///
/// The confidences are the softmax of one score for each present option. A score is a weighted sum: for each option
/// of a constant, the option taken last, and the unit's data points (`Situation.features`); and with weights that all
/// options share, of the option's own habit (takes ÷ (all takes + 1), definitions included) and whether it was taken
/// last. This is the conditional logit of D. McFadden, *Conditional logit analysis of qualitative choice behavior*,
/// in *Frontiers in econometrics*, 1974.
///
/// A data point counts as asinh(value) ÷ the largest such magnitude so far, so that the unit of a number matters
/// little and none overflows; after S. Ross, P. Mineiro and J. Langford, *Normalized online learning*, UAI 2013,
/// https://arxiv.org/abs/1305.6646 (weights learned before a larger value are kept as they are). Values that are
/// not finite are left out. After each take every weight in the scores descends the gradient of the log loss,
/// with the step sizes of AdaGrad (J. Duchi, E. Hazan and Y. Singer, JMLR 12, 2011) and `l2` times the weight added
/// to the gradient. Weights are hashed into 2^bits slots, as in Vowpal Wabbit; colliding features share a weight, and
/// memory is bounded.
///
/// The confidences sum to 1. An option is identified by its name, for all units and after it was removed and added
/// again.
///
/// - Complexity: O(options × features) for each take and forecast; memory O(options) for a unit, at most 2^bits
///   weights and as many scales for the study.
public struct Logistic: OptionPredictor {
  /// The range of the number of hash bits.
  public static let bitsRange = 4...24

  /// The learning rate.
  public var rate = 0.1
  /// The strength of L2 regularization in each take that uses a weight.
  public var l2 = 0.0001
  /// The logarithm to base 2 of the number of slots.
  public var bits = 18

  public static let info = SpecificationInfo(
    "logistic", "logistic regression on the unit's data points, learned from all units",
    source: "McFadden 1974; Duchi, Hazan and Singer 2011, JMLR 12; "
      + "Ross, Mineiro and Langford 2013, https://arxiv.org/abs/1305.6646",
    example: "logistic:rate=0.1")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number("rate", \.rate, in: 1e-6...10.0, "how far a first step of a weight goes, 0.000001 to 10")
    Field.number("l2", \.l2, in: 0.0...1.0, "how strongly weights are drawn to 0, {range}")
    Field.integer("bits", \.bits, in: bitsRange, "weights lie in 2^bits slots, {range}")
  }

  /// True: it learns from features only.
  public var wantsFeatures: Bool { true }

  public var beginning: Learning { Learning(rate: rate, l2: l2) }

  public var emptyPool: LogisticWeights { LogisticWeights(bits: bits) }

  public func fits(_ pool: LogisticWeights) -> Bool { pool.bits == bits }
}

extension Logistic {
  /// The takes of each option by the unit, and the option taken last.
  public struct Learning: OptionLearning {
    /// The learning rate.
    public let rate: Double
    /// The strength of L2 regularization.
    public let l2: Double
    fileprivate var takes: [Int] = []
    /// The code of the option taken last, with its bits as a signed number.
    fileprivate var last: Int64?
    private var lastCode: UInt64? { last.map { UInt64(bitPattern: $0) } }

    public var optionCount: Int { takes.count }

    public var isSound: Bool { takes.allSatisfy { $0 >= 0 } }

    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      takes.apply(change)
      if change.startsAnew(leaving: takes.count) { last = nil }
    }

    /// Learns a take: the weights that all units share descend the gradient of its log loss.
    public mutating func take(
      _ option: Int, in situation: Situation, pool: inout LogisticWeights
    ) {
      guard takes.indices.contains(option) else { return }
      if let code = situation.code(at: option) {
        descend(option, in: situation, pool: &pool)
        last = Int64(bitPattern: code)
      }
      takes[option] = takes[option].addingCount(1)
    }

    /// The forecast is blind if no weight of the options was learned yet.
    public func forecast(
      into confidences: inout [Double], in situation: Situation, pool: LogisticWeights
    ) -> Bool {
      predict(&confidences, in: situation, pool).isBlind
    }

    /// An input of the scores of all options.
    private typealias Input = (code: UInt64, value: Double)
    /// The inputs of the score of one option.
    private typealias Habit = (share: Double, isLast: Double)

    private func inputs(in situation: Situation, _ pool: LogisticWeights) -> [Input] {
      var inputs = [
        (Code.constant, 1.0), (Feature.code(Code.last, lastCode ?? Code.constant), 1.0),
      ]
      for feature in situation.features {
        if let value = pool.scaled(feature) { inputs.append((feature.code, value)) }
      }
      return inputs
    }

    private func habits(in situation: Situation) -> [Habit] {
      var total = 1.0
      for count in takes { total += Double(count) }
      return takes.indices.map { option in
        let isLast = last != nil && situation.code(at: option) == lastCode
        return (Double(takes[option]) / total, isLast ? 1 : 0)
      }
    }

    /// Writes the softmax of the scores.
    ///
    /// - Returns: Whether no weight of the scores was learned yet, and the inputs.
    private func predict(
      _ confidences: inout [Double], in situation: Situation, _ pool: LogisticWeights
    ) -> (isBlind: Bool, inputs: [Input], habits: [Habit]) {
      let (inputs, habits) = (inputs(in: situation, pool), habits(in: situation))
      confidences.removeAll(keepingCapacity: true)
      var isBlind = true
      let (share, isLast) = (pool.weight(Code.share) ?? 0, pool.weight(Code.isLast) ?? 0)
      for option in takes.indices {
        var score = share * habits[option].share + isLast * habits[option].isLast
        let code = situation.code(at: option) ?? 0
        for input in inputs {
          guard let weight = pool.weight(Feature.code(code, input.code)) else { continue }
          score += weight * input.value
          isBlind = false
        }
        confidences.append(score)
      }
      confidences.makeWeights()
      return (isBlind, inputs, habits)
    }

    private func descend(_ taken: Int, in situation: Situation, pool: inout LogisticWeights) {
      for feature in situation.features { pool.learnScale(of: feature) }
      var confidences: [Double] = []
      let (_, inputs, habits) = predict(&confidences, in: situation, pool)
      var (share, isLast) = (0.0, 0.0)
      for option in takes.indices {
        let error = confidences[option] - (option == taken ? 1 : 0)
        share += error * habits[option].share
        isLast += error * habits[option].isLast
        let code = situation.code(at: option) ?? 0
        for input in inputs {
          pool.descend(
            Feature.code(code, input.code), gradient: error * input.value, rate: rate, l2: l2)
        }
      }
      pool.descend(Code.share, gradient: share, rate: rate, l2: l2)
      pool.descend(Code.isLast, gradient: isLast, rate: rate, l2: l2)
    }
  }

  /// The codes of inputs other than data points.
  private enum Code {
    static let constant = Feature.code(of: "logistic", "constant")
    static let last = Feature.code(of: "logistic", "last")
    static let share = Feature.code(of: "logistic", "share")
    static let isLast = Feature.code(of: "logistic", "is last")
  }
}

extension Predictor {
  /// Logistic regression on the features of the unit: ``Prediction/Logistic``.
  ///
  /// - Throws: `SpecificationError` if a number is not in its range.
  public static func logistic(
    rate: Double? = nil, l2: Double? = nil, bits: Int? = nil
  ) throws(SpecificationError) -> Predictor {
    Predictor(
      try Logistic {
        $0.rate = rate ?? $0.rate
        $0.l2 = l2 ?? $0.l2
        $0.bits = bits ?? $0.bits
      })
  }
}
