public import Specifications

/// The margins and diagonal of a confusion matrix: the counts of each option taken, predicted, and both, from which
/// accuracy, kappa and F1 follow.
///
/// Sums over options are exact, so results do not depend on their order, which is that in which a log happens to name
/// them.
public struct Agreement: Sendable, Equatable {
  /// The counts of one option.
  public struct Option: StateFields, Equatable {
    /// The number of times the option was taken.
    public var taken: Int
    /// The number of times the option was predicted.
    public var predicted: Int
    /// The number of times the option was predicted and taken.
    public var right: Int

    /// Creates the counts of an option.
    @inlinable
    public init(taken: Int = 0, predicted: Int = 0, right: Int = 0) {
      (self.taken, self.predicted, self.right) = (taken, predicted, right)
    }

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&taken, other.taken)
      visit(&predicted, other.predicted)
      visit(&right, other.right)
    }
  }

  /// The options; without a prediction, a decision counts only for the option taken.
  public var options: [Option]

  /// Creates the counts of options.
  public init(_ options: [Option]) { self.options = options }

  /// The total number of options taken.
  public var total: Int { options.reduce(0) { $0 + $1.taken } }

  /// The share of correct predictions; nil if nothing was taken.
  public var accuracy: Double? {
    total > 0 ? Double(options.reduce(0) { $0 + $1.right }) / Double(total) : nil
  }

  /// The macro-averaged F1 score: the mean, over the options that occur, of the harmonic mean of precision and recall;
  /// nil if none occurs.
  public var macroF1: Double? {
    var (sum, count) = (ExactSum(), 0)
    for option in options where option.taken + option.predicted > 0 {
      sum.add(2 * Double(option.right) / Double(option.taken + option.predicted))
      count += 1
    }
    return count > 0 ? sum.value / Double(count) : nil
  }

  /// J. Cohen's kappa, "A coefficient of agreement for nominal scales" (Educational and Psychological Measurement 20,
  /// 1960): agreement beyond that expected by chance from the margins; nil if nothing was taken, and if chance
  /// agreement is perfect.
  public var kappa: Double? {
    guard let accuracy else { return nil }
    let n = Double(total)
    var sum = ExactSum()
    for option in options { sum.add(Double(option.taken) / n * (Double(option.predicted) / n)) }
    let chance = sum.value
    return chance < 1 ? (accuracy - chance) / (1 - chance) : nil
  }

  /// The entropy of the distribution of the options taken, in nats (C. E. Shannon, "A mathematical theory of
  /// communication", Bell System Technical Journal 27, 1948); nil if nothing was taken, 0 if it was always the same
  /// option.
  public var entropy: Double? {
    let n = total
    guard n > 0 else { return nil }
    var sum = ExactSum()
    for option in options where option.taken > 0 && option.taken < n {
      let share = Double(option.taken) / Double(n)
      sum.add(-share * Double.log(share))
    }
    return sum.value
  }

  /// Adds the counts of another instance, option by option.
  public mutating func merge(_ other: Agreement) {
    for (place, option) in other.options.enumerated() {
      if place == options.count { options.append(Option()) }
      options[place].merge(option)
    }
  }
}
