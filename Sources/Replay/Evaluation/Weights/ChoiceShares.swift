internal import EventLog
internal import Specifications
internal import Statistics

/// How often each logging policy chose which variant, and with what logged probabilities, in similar situations: at the
/// same place, among the same choices, and with the same values of the attributes that the target policies read.
struct ChoiceShares: Sendable, Equatable {
  /// The decisions of one logging policy.
  struct Logger: Sendable, Equatable {
    /// The number of decisions.
    private(set) var decisions = 0
    /// By code of the variant, the number of decisions that chose it.
    private(set) var chosen: [UInt32: Int] = [:]
    /// The number of decisions whose probabilities were logged, and by variant the sums of these.
    private(set) var logged = 0
    private(set) var probabilities: [UInt32: ExactSum] = [:]

    mutating func add(_ variant: UInt32, _ logged: LoggedProbabilities?, times: Int) {
      decisions += times
      chosen[variant, default: 0] += times
      guard let logged else { return }
      self.logged += times
      for (variant, probability) in zip(logged.variants, logged.probabilities) {
        probabilities[variant, default: ExactSum()].add(probability, times: times)
      }
    }

    mutating func merge(_ other: Logger) {
      decisions += other.decisions
      logged += other.logged
      for (variant, count) in other.chosen { chosen[variant, default: 0] += count }
      for (variant, sum) in other.probabilities {
        probabilities[variant, default: ExactSum()].merge(sum)
      }
    }

    func write(to writer: inout StateWriter) {
      writer.write(UInt64(chosen.count))
      for (variant, count) in chosen.sorted(by: { $0.key < $1.key }) {
        writer.write(UInt64(variant))
        writer.write(tally: count)
      }
      writer.write(tally: logged)
      writer.write(UInt64(probabilities.count))
      for (variant, sum) in probabilities.sorted(by: { $0.key < $1.key }) {
        writer.write(UInt64(variant))
        sum.write(to: &writer)
      }
    }

    init() {}

    init(
      from reader: inout StateReader, _ codes: StateCodes, _ tallies: inout TallySum
    ) throws(StateError) {
      for _ in 0..<(try reader.readCount()) {
        let variant = try codes.readName(.variants, &reader)
        let count = try tallies.read(&reader)
        decisions += count
        guard chosen.updateValue(count, forKey: variant) == nil else {
          throw StateError("a variant occurs twice")
        }
      }
      logged = try reader.readTally()
      for _ in 0..<(try reader.readCount()) {
        let variant = try codes.readName(.variants, &reader)
        guard probabilities.updateValue(try ExactSum(from: &reader), forKey: variant) == nil else {
          throw StateError("a variant occurs twice")
        }
      }
    }

    /// Returns the estimated probability of a variant: the mean of its logged probabilities, otherwise its share of the
    /// decisions.
    func probability(of variant: UInt32) -> Double {
      logged > 0
        ? (probabilities[variant]?.value ?? 0) / Double(logged)
        : Double(chosen[variant] ?? 0) / Double(max(1, decisions))
    }
  }

  /// By number of the logging policy, its decisions.
  private(set) var loggers: [UInt32: Logger] = [:]

  /// The number of decisions.
  var decisions: Int { loggers.values.reduce(0) { $0 + $1.decisions } }

  mutating func add(_ row: EvaluationRow, _ logged: LoggedProbabilities?, times: Int = 1) {
    loggers[row.logger, default: Logger()].add(row.variant, logged, times: times)
  }

  mutating func merge(_ other: ChoiceShares) {
    for (number, logger) in other.loggers {
      loggers[number, default: Logger()].merge(logger)
    }
  }

  func write(to writer: inout StateWriter) {
    writer.write(UInt64(loggers.count))
    for (number, logger) in loggers.sorted(by: { $0.key < $1.key }) {
      writer.write(UInt64(number))
      logger.write(to: &writer)
    }
  }

  init() {}

  /// Reads shares.
  ///
  /// - Throws: `StateError` if the bytes are invalid.
  init(from reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    var tallies = TallySum()
    for _ in 0..<(try reader.readCount()) {
      let number = try codes.readValue(&reader)
      let logger = try Logger(from: &reader, codes, &tallies)
      guard loggers.updateValue(logger, forKey: number) == nil else {
        throw StateError("a logging policy occurs twice")
      }
    }
  }

  /// Returns the share of a variant among the decisions.
  func share(of variant: UInt32) -> Double {
    let count = loggers.values.reduce(0) { $0 + ($1.chosen[variant] ?? 0) }
    return Double(count) / Double(max(1, decisions))
  }

  /// Returns the mean of all logging policies' probabilities of the variant of a decision, by their numbers of
  /// decisions here: of its own logging policy the logged propensity, and of the others the estimated probabilities.
  func mixture(_ row: EvaluationRow) -> Double {
    let all = Double(max(1, decisions))
    var sum = ExactSum()
    for (number, logger) in loggers {
      let probability =
        number == row.logger ? row.propensity : logger.probability(of: row.variant)
      sum.add(product: Double(logger.decisions) / all, probability)
    }
    return sum.value
  }
}

/// The probabilities that a decision gave its choices.
struct LoggedProbabilities: Sendable {
  /// The codes of the variants.
  var variants: [UInt32]
  /// The probability of each.
  var probabilities: ArraySlice<Double>

  /// Returns the sum of the probabilities of some variants.
  func sum(where isIncluded: (UInt32) -> Bool) -> Double {
    var sum = 0.0
    for (variant, probability) in zip(variants, probabilities) where isIncluded(variant) {
      sum += probability
    }
    return sum
  }
}
