public import Specifications

/// Prediction by partial matching (PPM), escape method C with exclusion: the longest context predicts first, and its
/// escape probability goes to the next shorter one, over the options that no longer context has seen.
///
/// With `n` followers of `d` different options an option with `c` of them gets c ÷ (n + d) of the remaining mass,
/// and d ÷ (n + d) escapes; if all unseen options occur it is c ÷ n, and nothing escapes. A context
/// without followers passes all mass on. The mass that remains after the empty context, which counts all takes,
/// including those of the definition, is shared equally. The confidences sum to 1. Only present options count.
///
/// J. Cleary and I. Witten, *Data compression using adaptive coding and partial string matching*, IEEE Trans.
/// Commun. 32(4), 1984, https://doi.org/10.1109/TCOM.1984.1096090; method C: A. Moffat, *Implementing the PPM
/// data compression scheme*, IEEE Trans. Commun. 38(11), 1990, https://doi.org/10.1109/26.61469.
///
/// - Complexity: memory as for ``Markov``. A study of five options with all contexts of three takes has 40 KB.
public struct PartialMatching: OptionPredictor {
  /// The length of the longest context, in takes.
  public var order = 3

  public static let info = SpecificationInfo(
    "ppm", "what followed every context, the longest first (escape method C, exclusion)",
    source: "Cleary and Witten 1984, https://doi.org/10.1109/TCOM.1984.1096090; "
      + "Moffat 1990, https://doi.org/10.1109/26.61469",
    example: "ppm:order=3")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.integer("order", \.order, in: 0...16, "how many last takes are looked at, {range}")
  }

  public var beginning: Learning { Learning(history: TakeHistory(order: order)) }

  /// The followers of the contexts.
  public struct Learning: HistoryLearning {
    var history: TakeHistory

    /// The forecast is blind if no present option was ever taken.
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      confidences.refill(optionCount) { _ in -1 }
      var sharing = Sharing(unseen: optionCount)
      var place = history.path.count
      while place > 0, sharing.unseen > 0 {
        place -= 1
        let context = history.path[place]
        sharing.hear(into: &confidences) { speak in
          history.forEachFollower(of: context, speak)
        }
      }
      let takes = history.takes
      sharing.hear(into: &confidences) { speak in
        for option in takes.indices where takes[option] > 0 { speak(option, takes[option]) }
      }
      for option in confidences.indices where confidences[option] < 0 {
        confidences[option] = sharing.mass / Double(sharing.unseen)
      }
      return sharing.unseen == optionCount
    }
  }

  /// The remaining mass on the way from the longest context to the empty one.
  private struct Sharing {
    /// The number of options that no context has seen yet: those whose confidence is -1.
    var unseen: Int
    /// The mass that no context has assigned yet.
    var mass = 1.0

    /// Assigns mass by one context, which lists its followers by calling the closure, twice in the same order.
    @inline(__always)
    mutating func hear(
      into confidences: inout [Double],
      _ context: ((_ option: Int, _ count: Int) -> Void) -> Void
    ) {
      var total = 0.0
      var different = 0
      context { option, count in
        if confidences[option] < 0 {
          total += Double(count)
          different += 1
        }
      }
      guard different > 0 else { return }
      let isComplete = different == unseen
      let divisor = isComplete ? total : total + Double(different)
      let share = mass
      context { option, count in
        if confidences[option] < 0 { confidences[option] = share * (Double(count) / divisor) }
      }
      mass = isComplete ? 0 : mass * (Double(different) / divisor)
      unseen -= different
    }
  }
}

extension Predictor {
  /// Prediction by partial matching: ``PartialMatching``.
  ///
  /// - Throws: `SpecificationError` if the order is out of range.
  public static func ppm(order: Int? = nil) throws(SpecificationError) -> Predictor {
    Predictor(try PartialMatching { $0.order = order ?? $0.order })
  }
}
