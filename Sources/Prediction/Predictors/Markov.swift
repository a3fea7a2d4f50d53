public import Specifications

/// A Markov model of variable order: the followers of the last takes, using the longest context of at most `order`
/// takes that was followed by a present option; confidence = its followers that were this option ÷ (all its followers
/// that are present options + 1). The empty context counts all takes, including those of the definition.
///
/// Falling back to shorter contexts is the "all kth-order" model of M. Deshpande and G. Karypis, *Selective
/// Markov models for predicting Web page accesses*, ACM TOIT 4(2), 2004, https://doi.org/10.1145/990301.990304.
///
/// An option that never followed then has confidence 0, at the maximum log loss. With a smoothing of s every context
/// contributes instead, the shortest first: confidence = (followers that were this option + s × its confidence in the
/// next shorter context) ÷ (all followers + s), and 1 ÷ number of options below the empty context. The confidences
/// sum to 1. This is the hierarchical Dirichlet model of D. MacKay and L. Bauman Peto, *A hierarchical Dirichlet
/// language model*, Natural Language Engineering 1(3), 1995, https://doi.org/10.1017/S1351324900000218, with the same
/// weight at each length.
///
/// - Complexity: memory O(options) and, with n options, at most `order` contexts for every take and never more
///   than n + n² + ... + n^order, each with at most n followers: about 24 bytes per context and 28 per follower, and
///   up to twice that while arrays have room to grow. A study of five options with all contexts of two takes has 8
///   KB.
public struct Markov: OptionPredictor {
  /// The length of the longest context, in takes.
  public var order = 1
  /// The number of takes that the next shorter context is worth; nil to use the longest known context alone.
  public var smoothing: Double?

  public static let info = SpecificationInfo(
    "markov", "what followed the longest context known",
    source: "Deshpande and Karypis 2004, https://doi.org/10.1145/990301.990304; smoothed: "
      + "MacKay and Peto 1995, https://doi.org/10.1017/S1351324900000218",
    example: "markov:order=1")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.integer("order", \.order, in: 0...16, "how many last takes are looked at, {range}")
    Field.number(
      "smoothing", \.smoothing, in: 1e-6...1e6,
      "for how many takes the next shorter context counts; without it the longest one known speaks alone"
    )
  }

  public var beginning: Learning {
    Learning(history: TakeHistory(order: order), smoothing: smoothing)
  }

  /// The followers of the contexts.
  public struct Learning: HistoryLearning {
    var history: TakeHistory
    /// The number of takes that the next shorter context is worth; nil to use the longest known context alone.
    public let smoothing: Double?

    /// The forecast is blind if no present option was ever taken.
    @inline(__always)
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      if let smoothing { return forecast(into: &confidences, smoothedBy: smoothing) }
      confidences.refill(optionCount) { _ in 0 }
      var place = history.path.count
      while place > 0 {
        place -= 1
        var total = 0.0
        history.forEachFollower(of: history.path[place]) { option, count in
          confidences[option] = Double(count)
          total += Double(count)
        }
        if total > 0 {
          confidences.change { $0 = min($0 / (total + 1), 1.0.nextDown) }
          return false
        }
      }
      let (takes, total) = (history.takes, history.takes.total)
      confidences.refill(takes.count) { min(Double(takes[$0]) / (total + 1), 1.0.nextDown) }
      return total == 0
    }

    /// Uses every context, the shortest first.
    private func forecast(into confidences: inout [Double], smoothedBy smoothing: Double) -> Bool {
      let takes = history.takes
      let total = takes.total
      let share = smoothing / Double(takes.count)
      confidences.refill(takes.count) { (Double(takes[$0]) + share) / (total + smoothing) }
      for context in history.path {
        var followers = 0.0
        // The first followers, which are usually all, so that they are looked up once.
        var (known, options) = (0, InlineArray<8, Int>(repeating: 0))
        var counts = InlineArray<8, Double>(repeating: 0)
        history.forEachFollower(of: context) { option, count in
          if known < counts.count { (options[known], counts[known]) = (option, Double(count)) }
          known += 1
          followers += Double(count)
        }
        guard followers > 0 else { continue }
        let divisor = followers + smoothing
        confidences.change { $0 *= smoothing / divisor }
        guard known > counts.count else {
          for number in 0..<known {
            let option = options[number]
            confidences[option] = min(confidences[option] + counts[number] / divisor, 1)
          }
          continue
        }
        history.forEachFollower(of: context) { option, count in
          confidences[option] = min(confidences[option] + Double(count) / divisor, 1)
        }
      }
      return total == 0
    }
  }
}

extension Predictor {
  /// A Markov model of the last takes: ``Markov``.
  ///
  /// - Throws: `SpecificationError` if the order or the smoothing is out of range.
  public static func markov(
    order: Int? = nil, smoothing: Double? = nil
  ) throws(SpecificationError) -> Predictor {
    Predictor(
      try Markov {
        $0.order = order ?? $0.order
        $0.smoothing = smoothing ?? $0.smoothing
      })
  }
}
