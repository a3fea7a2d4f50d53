internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics

/// How often each logging policy chose which variant, and with what logged probabilities, in similar situations: at the
/// same place, among the same choices, and with the same values of the attributes that the target policies read.
struct ChoiceShares: StateFields, Equatable {
  /// The decisions of one logging policy.
  struct Logger: StateFields, Equatable {
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

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit.entries(&chosen, other.chosen, .names(.variants), 0)
      visit(&logged, other.logged)
      visit.entries(&probabilities, other.probabilities, .names(.variants), ExactSum())
      decisions = chosen.values.reduce(0, +)
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

  mutating func add(_ row: CreditedDecision, _ logged: LoggedProbabilities?, times: Int = 1) {
    loggers[row.value, default: Logger()].add(row.variant, logged, times: times)
  }

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit.entries(&loggers, other.loggers, .loggers, Logger())
  }

  /// Returns the share of a variant among the decisions.
  func share(of variant: UInt32) -> Double {
    let count = loggers.values.reduce(0) { $0 + ($1.chosen[variant] ?? 0) }
    return Double(count) / Double(max(1, decisions))
  }

  /// Returns the mean of all logging policies' probabilities of the variant of a decision, by their numbers of
  /// decisions here: of its own logging policy the logged propensity, and of the others the estimated probabilities.
  func mixture(_ row: CreditedDecision) -> Double {
    let all = Double(max(1, decisions))
    var sum = ExactSum()
    for (number, logger) in loggers {
      let probability =
        number == row.value ? row.propensity : logger.probability(of: row.variant)
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
