public import Specifications

/// Context tree weighting: a mixture of all models that predict from a varying number of last takes, weighted by how
/// well each has predicted so far. The confidences sum to 1.
///
/// F. Willems, Y. Shtarkov and T. Tjalkens, *The context-tree weighting method: basic properties*, IEEE Transactions
/// on Information Theory 41(3), 1995, https://doi.org/10.1109/18.382012. Each context has the Krichevsky-Trofimov
/// estimate p, (takes of the option that followed it + ½) ÷ (all takes that did + options ÷ 2). A context of less
/// than `depth` takes predicts (β·p + q) ÷ (β + 1), where q is the prediction of the context with one take more and β
/// the likelihood ratio of its own estimates to that context's predictions. The prediction of the empty context is
/// the confidence. As long as options do not change, the confidences of a sequence of takes multiply to its weighted
/// probability as the paper defines it.
///
/// Options can be added and removed: only present ones count in p, both in takes and in options ÷ 2. That keeps the
/// weights sound, as β is a ratio of forecasts each made over the options of its time (a mixture of forecasters in
/// the sense of A.P. Dawid, *Present position and potential developments: the prequential approach*, JRSS A 147(2),
/// 1984, https://doi.org/10.2307/2981683). A removed option stays in the contexts that it was part of. Takes counted
/// by a definition or a revision are in the empty context only, as it is unknown what they followed.
///
/// The first takes have fewer than `depth` before them: the longest context there is then predicts as if it had
/// length `depth`, and its β does not change. The paper has a known past, which ``Learning/recall(_:)`` gives.
///
/// - Complexity: a take and a forecast O(depth × options); memory as for ``Markov`` of that order, and 8 bytes more
///   per context. A study of five options with all contexts of three takes has 40 KB.
public struct ContextWeighting: OptionPredictor {
  /// The length of the longest context, in takes.
  public var depth = 3

  public static let info = SpecificationInfo(
    "ctw", "what followed the last takes, all lengths weighed by how well they predicted",
    source: "Willems, Shtarkov and Tjalkens 1995, https://doi.org/10.1109/18.382012",
    example: "ctw:depth=3")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.integer("depth", \.depth, in: 0...16, "how many last takes are looked at, {range}")
  }

  public var beginning: Learning { Learning(depth: depth) }

  /// The followers of the contexts, and how well each context predicted them.
  public struct Learning: HistoryLearning {
    var history: TakeHistory
    /// β of the empty context, then of each other context by its number.
    private var ratios = [1.0]

    init(depth: Int) { history = TakeHistory(order: depth) }

    /// Whether each context has a valid weight.
    public var isSound: Bool {
      history.isSound && ratios.count == history.contextCount + 1
        && ratios.allSatisfy { $0 >= Self.least && $0 <= Self.largest }
    }

    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      history.apply(change)
      guard change.startsAnew(leaving: optionCount) else { return }
      ratios.removeAll(keepingCapacity: true)
      ratios.append(1)
    }

    /// Adds a take before all that is learned: it is part of contexts, and nothing more is learned from it.
    public mutating func recall(_ option: Int) {
      history.recall(option)
      addRatios()
    }

    public mutating func take(_ option: Int, at time: Int64?) {
      guard history.takes.indices.contains(option) else { return }
      var deeper: Double?
      var place = history.path.count
      while place >= 0 {
        place -= 1
        let own = estimate(of: option, place)
        let number = place < 0 ? 0 : Int(history.path[place]) + 1
        guard let said = deeper else {
          deeper = own
          continue
        }
        let ratio = ratios[number]
        deeper = (ratio * own + said) / (ratio + 1)
        // Beyond this one side of the mixture has no weight, and the ratio must stay finite.
        ratios[number] = min(max(ratio * own / said, Self.least), Self.largest)
      }
      history.take(option)
      addRatios()
    }

    /// The forecast is blind if no present option was ever taken.
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let count = optionCount
      confidences.refill(count) { _ in 0 }
      var place = history.path.count
      while place >= 0 {
        place -= 1
        let number = place < 0 ? 0 : Int(history.path[place]) + 1
        let ratio = ratios[number]
        // The first one has no deeper context to mix its own estimate with.
        let isFirst = place == history.path.count - 1
        let (mine, theirs) = isFirst ? (1, 0) : (ratio / (ratio + 1), 1 / (ratio + 1))
        let total = total(place)
        let share = mine / (total + Double(count) / 2)
        confidences.change { $0 = theirs * $0 + share / 2 }
        forEachFollower(place) { option, times in confidences[option] += share * Double(times) }
      }
      // A single option is certain, whatever the rounding of its parts.
      if count == 1 { confidences[0] = 1 }
      return total(-1) == 0
    }

    /// Calls the closure with the followers of the context at an index of the path, -1 being the empty one.
    @inline(__always)
    private func forEachFollower(_ place: Int, _ body: (_ option: Int, _ count: Int) -> Void) {
      if place >= 0 {
        history.forEachFollower(of: history.path[place], body)
      } else {
        let takes = history.takes
        for option in takes.indices { body(option, takes[option]) }
      }
    }

    /// Returns the number of takes of present options that followed the context at an index of the path.
    @inline(__always)
    private func total(_ place: Int) -> Double {
      var total = 0.0
      forEachFollower(place) { _, count in total += Double(count) }
      return total
    }

    /// Returns the own estimate of the context at an index of the path.
    @inline(__always)
    private func estimate(of option: Int, _ place: Int) -> Double {
      var (mine, total) = (0.5, Double(optionCount) / 2)
      forEachFollower(place) { other, count in
        total += Double(count)
        if other == option { mine += Double(count) }
      }
      return mine / total
    }

    private static var least: Double { 0x1p-1000 }
    private static var largest: Double { 0x1p1000 }

    /// Gives new contexts the same weight as the contexts that deepen them.
    @inline(__always)
    private mutating func addRatios() {
      while ratios.count <= history.contextCount { ratios.append(1) }
    }
  }
}

extension Predictor {
  /// Context tree weighting: ``Prediction/ContextWeighting``.
  ///
  /// - Throws: `SpecificationError` if the depth is out of range.
  public static func ctw(depth: Int? = nil) throws(SpecificationError) -> Predictor {
    Predictor(try ContextWeighting { $0.depth = depth ?? $0.depth })
  }
}
