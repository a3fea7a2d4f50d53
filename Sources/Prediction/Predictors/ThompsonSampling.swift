public import Statistics

/// Thompson sampling over options: the probability that an option has the largest share of all takes to come, as far as
/// the takes so far can tell. The sum is 1.
///
/// What is not known are the shares of the options, one for each and 1 together. Before the first take they are believed
/// to be of a Dirichlet distribution with `prior` for each option, and after it of one with prior + takes. Thompson
/// sampling draws shares from there and bets on the largest: the confidence is how often it bets on the option. W. R.
/// Thompson, *On the likelihood that one unknown probability exceeds another in view of the evidence of two samples*,
/// Biometrika 25, 1933, https://doi.org/10.1093/biomet/25.3-4.285.
///
/// That is not the probability that the option is taken next, which is (takes + prior) ÷ (all takes + prior × options):
/// `frequency:smoothing=` the prior. The more is known the nearer to 1 it is for the option taken most, however small
/// the share of that one: it ranks like ``Frequency``, and log loss and calibration say what it costs to take certainty
/// about the favourite for certainty about the next take.
///
/// Nothing is drawn: it is integrated, to within 1e-9 of the probability while counts are below 1e9. What is encountered
/// and not taken does not count.
///
/// - Complexity: a forecast takes O(options + different counts × 96) evaluations of a density, about 10 µs; memory
///   O(options), 8 bytes each, about 100 bytes for a study of five.
public struct ThompsonSampling: OptionPredictor {
  /// The range of the prior.
  public static let range = 0.01...1e9

  /// How many takes of each option are assumed beforehand.
  public let prior: Double

  private static let prior = Parameter.number(
    "prior", default: 1, in: range, "takes of each option assumed beforehand, {range}")

  public static let info = SpecificationInfo(
    "thompson", "the probability that the option has the largest share of all takes",
    [prior],
    source: "Thompson 1933, https://doi.org/10.1093/biomet/25.3-4.285")

  public init(_ specification: Specification) throws(SpecificationError) {
    prior = try Self.prior.value(in: specification)
  }

  /// Creates the predictor.
  ///
  /// - Throws: `SpecificationError` if the prior is not in ``range``.
  public init(prior: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.prior.written(prior)))
  }

  public var specification: Specification {
    Self.info.specification(Self.prior.written(prior))
  }

  public func fits(_ learning: Learning) -> Bool { learning.isSound && learning.prior == prior }

  public var beginning: Learning { Learning(prior: prior) }

  /// How often each option was taken.
  public struct Learning: UnitLearning {
    /// How many takes of each option are assumed beforehand.
    public let prior: Double
    private var counts = TakeCounts()

    init(prior: Double) { self.prior = prior }

    public var optionCount: Int { counts.takes.count }

    /// Whether the prior is one that is allowed, and no count is negative.
    public var isSound: Bool { ThompsonSampling.range.contains(prior) && counts.isSound }

    public mutating func define(takes: [Int], encounters: Int, at time: Int64?) {
      counts.define(takes)
    }

    public mutating func add(takes: Int, encounters: Int, at time: Int64?) { counts.add(takes) }

    public mutating func revise(_ option: Int, takes: Int, encounters: Int, at time: Int64?) {
      counts.revise(option, takes)
    }

    public mutating func raise(by encounters: Int, at time: Int64?) {}

    public mutating func remove(_ option: Int) { counts.remove(option) }

    public mutating func take(_ option: Int, at time: Int64?) { counts.take(option) }

    public mutating func encounter(at time: Int64?) {}

    /// The forecast is blind and uniform if no present option was ever taken.
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let takes = counts.takes
      guard counts.total > 0 else {
        confidences.refill(takes.count) { _ in 1 / Double(takes.count) }
        return true
      }
      LargestShare.chances(takes, prior: prior, into: &confidences)
      return false
    }
  }
}

extension Predictor {
  /// Thompson sampling over options: ``ThompsonSampling``.
  ///
  /// - Throws: `SpecificationError` if the prior is not in ``ThompsonSampling/range``.
  public static func thompson(prior: Double? = nil) throws(SpecificationError) -> Predictor {
    Predictor(try ThompsonSampling(prior: prior))
  }
}
