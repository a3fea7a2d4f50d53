public import Specifications
internal import Statistics

/// An estimator that combines the estimates from the decisions of each logging policy, each the mean of a term, with
/// weights inverse to their variances.
///
/// The terms are those of inverse propensity scoring, or doubly robust with a reward model.
public protocol LoggerWeightedEstimator: OffPolicyEstimator where Sums == LoggerSums {}

extension LoggerWeightedEstimator {
  public var distinguishesLoggers: Bool { true }

  public func makeSums() -> LoggerSums { LoggerSums() }

  public func add(unit decisions: Span<LoggedDecision>, times: Int, to sums: inout LoggerSums) {
    sums.add(unit: decisions, times: times) { term(weight(of: $0), $0) }
  }

  public func value(of sums: LoggerSums) -> Double? { sums.value }

  public func standardError(of sums: LoggerSums) -> Double? { sums.standardError }
}

/// The sums behind a ``LoggerWeightedEstimator``.
///
/// With Mₗ the mean of the terms of logger l's decisions and sₗ its standard error by unit, the estimate is the mean of
/// the Mₗ with weights 1/sₗ². A logger with fewer than two units, or with terms that are all equal, as where no
/// decision had a reward, says nothing about its variance: it counts with that of all decisions together, per decision,
/// and not with an infinite weight. If that is zero too, the weights are the numbers of decisions. The standard error
/// takes the weights as given and accounts for units with decisions of several loggers.
///
/// - Complexity: about 300 bytes for each logger, and 200 for each two with a unit in common.
public struct LoggerSums: EstimatorSums, StateFields {
  /// Two loggers, a before b.
  private struct Pair: StateKey {
    var (a, b): (UInt32, UInt32)

    init(a: UInt32, b: UInt32) { (self.a, self.b) = (a, b) }

    static func < (x: Pair, y: Pair) -> Bool { (x.a, x.b) < (y.a, y.b) }

    func write(to writer: inout StateWriter) {
      a.write(to: &writer)
      b.write(to: &writer)
    }

    init(from reader: inout StateReader, _ space: CodeSpace) throws(StateError) {
      (a, b) = (try reader.readCode(space), try reader.readCode(space))
    }
  }

  private var loggers: [UInt32: MomentSums] = [:]
  /// All decisions, whatever their logger.
  public private(set) var moments = MomentSums(1)
  /// For units of several loggers, the sums of the products of their terms and numbers of decisions: those of a with
  /// those of b, t·t, t·n, n·t and n·n.
  private var pairs: [Pair: [ExactSum]] = [:]

  fileprivate mutating func add(
    unit decisions: Span<LoggedDecision>, times: Int, _ term: (LoggedDecision) -> Double
  ) {
    let unit = decisions.sums { [term($0[0]), 0, 0, 0, 0, 0] }
    moments.add(unit, times: times)
    if decisions.count == 1 {
      return loggers[decisions[0].logger, default: MomentSums(1)].add(unit, times: times)
    }
    var parts: [UInt32: (sum: SmallSum, count: Int)] = [:]
    for index in decisions.indices {
      let logger = decisions[index].logger
      parts[logger, default: (SmallSum(), 0)].sum.add(term(decisions[index]))
      parts[logger, default: (SmallSum(), 0)].count += 1
    }
    for (logger, part) in parts {
      let value: InlineArray = [part.sum.value]
      loggers[logger, default: MomentSums(1)]
        .add(value.span, decisions: part.count, matched: 0, times: times)
      for (other, more) in parts where logger < other {
        let (t, n) = ((part.sum.value, more.sum.value), (Double(part.count), Double(more.count)))
        var sums = pairs[Pair(a: logger, b: other)] ?? Array(repeating: ExactSum(), count: 4)
        sums[0].add(product: t.0, t.1, times: times)
        sums[1].add(product: t.0, n.1, times: times)
        sums[2].add(product: n.0, t.1, times: times)
        sums[3].add(product: n.0, n.1, times: times)
        pairs[Pair(a: logger, b: other)] = sums
      }
    }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&moments, other.moments)
    visit.entries(&loggers, other.loggers, .loggers, MomentSums(1))
    visit.entries(&pairs, other.pairs, .loggers, Array(repeating: ExactSum(), count: 4))
    orderPairs()
  }

  /// Restores the order of pairs whose loggers have other numbers than where they were written.
  private mutating func orderPairs() {
    for (pair, sums) in pairs where pair.a > pair.b {
      let ordered = Pair(a: pair.b, b: pair.a)
      guard pairs[ordered] == nil else { continue }
      pairs[pair] = nil
      pairs[ordered] = [sums[0], sums[2], sums[1], sums[3]]
    }
  }

  public func validate() throws(StateError) {
    guard pairs.keys.allSatisfy({ $0.a < $0.b }) else {
      throw StateError("a pair of logging policies occurs twice")
    }
  }

  /// The estimated value of the target policy; nil without decisions.
  fileprivate var value: Double? {
    guard moments.decisions > 0 else { return nil }
    var sum = ExactSum()
    for logger in combined { sum.add(product: logger.share, logger.mean) }
    return sum.value
  }

  fileprivate var standardError: Double? {
    guard moments.units > 1, moments.isFinite else { return nil }
    var variance = ExactSum()
    let loggers = combined
    let u = Double(moments.units)
    for (place, a) in loggers.enumerated() {
      variance.add(a.share * a.share * a.squares * u / (u - 1))
      for b in loggers[(place + 1)...] {
        guard let sums = pairs[Pair(a: a.code, b: b.code)] else { continue }
        // Equal whichever of both is first: numbers of loggers differ among logs.
        let product =
          (sums[0].value + a.mean * b.mean * sums[3].value)
          - (b.mean * sums[1].value + a.mean * sums[2].value)
        variance.add(2 * (a.share * b.share) * product / (a.count * b.count) * u / (u - 1))
      }
    }
    return variance.value.isFinite ? max(0, variance.value).squareRoot() : nil
  }

  /// A logger in the combination: `squares` is the sum over units of the squared deviations of their sums of terms,
  /// over the squared number of decisions.
  private struct Combined {
    var code: UInt32
    var (count, mean, squares): (Double, Double, Double)
    var share: Double
  }

  /// The loggers by ascending number, with shares that sum to 1.
  private var combined: [Combined] {
    let pooled = moments.standardError(.mean).map { $0 * $0 * Double(moments.decisions) } ?? 0
    var result = loggers.sorted { $0.key < $1.key }.map { code, sums in
      let (n, u) = (Double(sums.decisions), Double(sums.units))
      let error = sums.standardError(.mean) ?? 0
      let variance = error > 0 ? error * error : pooled / n
      return Combined(
        code: code, count: n, mean: sums.value(.mean) ?? 0,
        squares: u > 1 ? error * error * (u - 1) / u : 0, share: pooled > 0 ? 1 / variance : n)
    }
    if result.count == 1 { result[0].share = 1 }
    let total = ExactSum(result.map(\.share)).value
    if result.count > 1 { for index in result.indices { result[index].share /= total } }
    return result
  }
}
