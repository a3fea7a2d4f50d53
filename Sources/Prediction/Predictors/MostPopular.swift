public import Specifications

/// The popularity of each option among all units: the share of each present option in their takes,
/// (count + smoothing) ÷ (count of all present options + smoothing × number of options).
///
/// This is the popularity baseline of recommendation: P. Cremonesi, Y. Koren and R. Turrin, *Performance of
/// recommender algorithms on top-n recommendation tasks*, RecSys 2010, https://doi.org/10.1145/1864708.1864721
/// (TopPop). The smoothing is that of a Dirichlet prior (Laplace's rule of succession at 1).
///
/// The confidences sum to 1. Takes count once they are learned; the counts of a definition belong to one unit and do
/// not count. An option is identified by its name, for all units and after it was removed and added again.
///
/// - Complexity: memory O(1) for a unit, O(options) for the study.
public struct MostPopular: OptionPredictor {
  /// The pseudo-count of each option.
  public var smoothing = 1.0

  public static let info = SpecificationInfo(
    "popular", "what all units took most, among the options now present",
    source: "Cremonesi, Koren and Turrin 2010, https://doi.org/10.1145/1864708.1864721",
    example: "popular:smoothing=1")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number(
      "smoothing", \.smoothing, in: 0.0...1e6,
      "takes that each option is given besides its own, 0 to 1000000")
  }

  public var beginning: Learning { Learning(smoothing: smoothing) }

  public var emptyPool: OptionTally { OptionTally() }

  public var poolContext: Int? { 0 }

  public func learn(_ code: UInt64, after recent: RecentTakes, pool: inout OptionTally) {
    pool.add(code)
  }

  /// The number of options; their popularity is learned by all units together.
  public struct Learning: OptionLearning {
    /// The pseudo-count of each option.
    public let smoothing: Double
    fileprivate var places = Uniform.Learning()

    public var optionCount: Int { places.optionCount }

    /// Whether the number of options is possible.
    public var isSound: Bool { places.isSound }

    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      places.apply(change, at: time)
    }

    /// Counts a take for all units.
    public mutating func take(_ option: Int, in situation: Situation, pool: inout OptionTally) {
      guard option < optionCount, let code = situation.code(at: option) else { return }
      pool.add(code)
    }

    /// The forecast is blind if no present option was ever taken by any unit.
    public func forecast(
      into confidences: inout [Double], in situation: Situation, pool: OptionTally
    ) -> Bool {
      _ = places.forecast(into: &confidences, at: situation.time)
      let strength = smoothing * Double(optionCount)
      var shares = confidences.mutableSpan
      return pool.refine(&shares, in: situation, strength: strength) == 0
    }
  }
}

extension Predictor {
  /// The popularity of each option among all units: ``MostPopular``.
  ///
  /// - Throws: `SpecificationError` if the smoothing is out of range.
  public static func popular(smoothing: Double? = nil) throws(SpecificationError) -> Predictor {
    Predictor(try MostPopular { $0.smoothing = smoothing ?? $0.smoothing })
  }
}
