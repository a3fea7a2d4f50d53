public import Specifications
internal import Statistics

/// An estimator that combines the estimates from the decisions of each logging policy, each the mean of a term, with
/// weights inverse to their variances.
public protocol LoggerWeightedEstimator: OffPolicyEstimator where Sums == LoggerSums<Self> {
  /// Returns the term of a decision.
  func term(of decision: LoggedDecision) -> Double
}

extension LoggerWeightedEstimator {
  public var distinguishesLoggers: Bool { true }

  public func makeSums() -> LoggerSums<Self> { LoggerSums(self) }
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
public struct LoggerSums<Estimator: LoggerWeightedEstimator>: EstimatorSums, StateFields {
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

  /// The estimator.
  public let estimator: Estimator
  public private(set) var matched = 0
  public private(set) var units = 0
  private var loggers: [UInt32: MomentSums] = [:]
  /// All decisions, whatever their logger.
  private var all = MomentSums(1)
  /// For units of several loggers, the sums of the products of their terms and numbers of decisions: those of a with
  /// those of b, t·t, t·n, n·t and n·n.
  private var pairs: [Pair: [ExactSum]] = [:]

  /// Creates sums without decisions.
  public init(_ estimator: Estimator) { self.estimator = estimator }

  public static func == (a: LoggerSums, b: LoggerSums) -> Bool {
    a.matched == b.matched && a.units == b.units && a.loggers == b.loggers && a.pairs == b.pairs
      && a.all == b.all && a.estimator.specification == b.estimator.specification
  }

  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    precondition(times >= 0, "a decision cannot be added a negative number of times")
    guard times > 0 else { return }
    if decision.weight > 0 { matched += times }
    units += times
    let values: UnitValues = [estimator.term(of: decision), 0, 0, 0, 0, 0]
    all.add(values, times: times)
    loggers[decision.logger, default: MomentSums(1)].add(values, times: times)
  }

  public mutating func add(unit decisions: Span<LoggedDecision>) {
    guard !decisions.isEmpty else { return }
    if decisions.count == 1 { return add(decisions[0]) }
    matched += decisions.matched
    units += 1
    var whole = ExactSum()
    var parts: [UInt32: (sum: ExactSum, count: Int)] = [:]
    for index in decisions.indices {
      let term = estimator.term(of: decisions[index])
      whole.add(term)
      parts[decisions[index].logger, default: (ExactSum(), 0)].sum.add(term)
      parts[decisions[index].logger, default: (ExactSum(), 0)].count += 1
    }
    all.add([whole.value, 0, 0, 0, 0, 0], decisions: decisions.count)
    for (logger, part) in parts {
      loggers[logger, default: MomentSums(1)].add(
        [part.sum.value, 0, 0, 0, 0, 0], decisions: part.count)
      for (other, more) in parts where logger < other {
        let (t, n) = ((part.sum.value, more.sum.value), (Double(part.count), Double(more.count)))
        var sums = pairs[Pair(a: logger, b: other)] ?? Array(repeating: ExactSum(), count: 4)
        sums[0].add(product: t.0, t.1)
        sums[1].add(product: t.0, n.1)
        sums[2].add(product: n.0, t.1)
        sums[3].add(product: n.0, n.1)
        pairs[Pair(a: logger, b: other)] = sums
      }
    }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(
      estimator.specification == other.estimator.specification,
      "sums of different estimators do not merge")
    visit(&matched, other.matched)
    visit(&units, other.units)
    visit(&all, other.all)
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

  public var count: Int { all.decisions }

  /// The estimated value of the target policy; nil without decisions.
  public var value: Double? {
    guard count > 0 else { return nil }
    var sum = ExactSum()
    for logger in combined { sum.add(product: logger.share, logger.mean) }
    return sum.value
  }

  public var standardError: Double? {
    guard units > 1, all.isFinite else { return nil }
    var variance = ExactSum()
    let loggers = combined
    let u = Double(units)
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
    let pooled = all.standardError(.mean).map { $0 * $0 * Double(count) } ?? 0
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
