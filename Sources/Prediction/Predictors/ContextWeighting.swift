public import Statistics

/// Context tree weighting: all models whose predictions hang on the last takes, on many of them here and few there, each
/// weighed by how well it predicted so far. The sum is 1.
///
/// F. Willems, Y. Shtarkov and T. Tjalkens, *The context-tree weighting method: basic properties*, IEEE Transactions on
/// Information Theory 41(3), 1995, https://doi.org/10.1109/18.382012. Each context has the estimate p of Krichevsky and
/// Trofimov, (takes that followed it + ½) ÷ (all that did + options ÷ 2), and a context of less than `depth` takes says
/// (β·p + q) ÷ (β + 1), where q is what the context with one take more says and β how often more likely its own
/// estimates made what followed than that context's words did. What the empty context says is the confidence. On options
/// that stay it is ``ContextTreeWeighting``, symbol by symbol.
///
/// Options come and go: only those present count in p, both in takes and in options ÷ 2. That keeps the weights sound,
/// as β is a ratio of forecasts that were made, each over the options of its time (the mixture is one of forecasters in
/// the sense of A.P. Dawid, *Present position and potential developments: the prequential approach*, JRSS A 147(2),
/// 1984, https://doi.org/10.2307/2981683). An option removed stays in the contexts that it was part of. Takes that a
/// definition or a revision counts are in the empty context alone, as it is not known what they followed.
///
/// The first takes have fewer than `depth` before them: the context of all there are then speaks as if it were one of
/// `depth`, and no β changes for it. The paper has a past known beforehand, which ``Learning/recall(_:)`` gives.
///
/// - Complexity: a take and a forecast O(depth × options); memory as that of ``Markov`` of that order, and 8 bytes more
///   for a context. A study of five options with all contexts of three takes has 40 KB.
public struct ContextWeighting: OptionPredictor {
  /// The range of the depth.
  public static let range = 0...16

  /// The length of the longest context, in takes.
  public let depth: Int

  private static let depth = Parameter.integer(
    "depth", default: 3, in: range, "how many last takes are looked at, {range}")

  public static let info = SpecificationInfo(
    "ctw", "what followed the last takes, all lengths weighed by how well they predicted",
    [depth],
    source: "Willems, Shtarkov and Tjalkens 1995, https://doi.org/10.1109/18.382012")

  public init(_ specification: Specification) throws(SpecificationError) {
    depth = try Self.depth.value(in: specification)
  }

  /// Creates the predictor.
  ///
  /// - Throws: `SpecificationError` if the depth is not in ``range``.
  public init(depth: Int? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.depth.written(depth)))
  }

  public var specification: Specification {
    Self.info.specification(Self.depth.written(depth))
  }

  public func fits(_ learning: Learning) -> Bool { learning.isSound && learning.depth == depth }

  public var beginning: Learning { Learning(depth: depth) }

  /// What followed the contexts, and how well each predicted it.
  public struct Learning: UnitLearning {
    private var history: TakeHistory
    /// β of the empty context, and then of each other by its number.
    private var ratios = [1.0]

    init(depth: Int) { history = TakeHistory(order: depth) }

    /// The length of the longest context, in takes.
    public var depth: Int { history.order }

    public var optionCount: Int { history.takes.count }

    /// Whether the depth is one that is allowed, and each context has a weight that can be.
    public var isSound: Bool {
      ContextWeighting.range.contains(depth) && history.isSound
        && ratios.count == history.contextCount + 1
        && ratios.allSatisfy { $0 >= Self.least && $0 <= Self.largest }
    }

    public mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
      history.define(takes: takes)
      clearRatios()
    }

    public mutating func add(takes: Int, encounters: Int, at time: Int64?) {
      history.add(takes: takes)
    }

    /// Replaces the number of takes of an option; what followed each context is kept.
    public mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {
      history.revise(option, takes: takes)
    }

    public mutating func raise(by encounters: Int, at time: Int64?) {}

    public mutating func remove(_ option: Int) {
      history.remove(option)
      if history.takes.isEmpty { clearRatios() }
    }

    /// An option was taken before all that is learned: it is part of contexts, and nothing more is learned from it.
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
        // Beyond this a side of the mixture has no say, and the ratio must stay a number.
        ratios[number] = min(max(ratio * own / said, Self.least), Self.largest)
      }
      history.take(option)
      addRatios()
    }

    public mutating func encounter(at time: Int64?) {}

    /// The forecast is blind if no present option was ever taken.
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let count = optionCount
      confidences.refill(count) { _ in 0 }
      var place = history.path.count
      while place >= 0 {
        place -= 1
        let number = place < 0 ? 0 : Int(history.path[place]) + 1
        let ratio = ratios[number]
        // The first one has nothing deeper to weigh its own estimate against.
        let isFirst = place == history.path.count - 1
        let (mine, theirs) = isFirst ? (1, 0) : (ratio / (ratio + 1), 1 / (ratio + 1))
        let total = total(place)
        let share = mine / (total + Double(count) / 2)
        var span = confidences.mutableSpan
        for option in span.indices { span[option] = theirs * span[option] + share / 2 }
        forEachFollower(place) { option, times in confidences[option] += share * Double(times) }
      }
      // A single one is certain, however its parts were rounded.
      if count == 1 { confidences[0] = 1 }
      return total(-1) == 0
    }

    /// Calls the closure with what followed the context at a place of the path, -1 being the empty one.
    @inline(__always)
    private func forEachFollower(_ place: Int, _ body: (_ option: Int, _ count: Int) -> Void) {
      if place >= 0 {
        history.forEachFollower(of: history.path[place], body)
      } else {
        let takes = history.takes
        for option in takes.indices { body(option, takes[option]) }
      }
    }

    /// How often options now present followed the context at a place of the path.
    @inline(__always)
    private func total(_ place: Int) -> Double {
      var total = 0.0
      forEachFollower(place) { _, count in total += Double(count) }
      return total
    }

    /// The estimate that the context at a place of the path has of its own.
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

    /// Gives contexts that are new as much weight as those that deepen them.
    @inline(__always)
    private mutating func addRatios() {
      while ratios.count <= history.contextCount { ratios.append(1) }
    }

    private mutating func clearRatios() {
      ratios.removeAll(keepingCapacity: true)
      ratios.append(1)
    }
  }
}

extension Predictor {
  /// Context tree weighting: ``Prediction/ContextWeighting``.
  ///
  /// - Throws: `SpecificationError` if the depth is not in ``ContextWeighting/range``.
  public static func ctw(depth: Int? = nil) throws(SpecificationError) -> Predictor {
    Predictor(try ContextWeighting(depth: depth))
  }
}
