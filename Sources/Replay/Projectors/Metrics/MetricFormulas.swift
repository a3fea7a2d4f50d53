/// The metrics of a projector, compiled to a list of distinct terms with the codes of the log.
struct MetricFormulas: Sendable {
  /// A metric, as the indices of its terms.
  struct Formula: Sendable {
    var numerator: Int
    var denominator: Int?
    var isCapped: Bool
  }

  /// The quantities that are summed.
  let terms: [RewardSignal]
  let formulas: [Formula]
  let needs: UnitNeeds
  /// Whether any term counts goals of the experiment.
  let readsGoals: Bool
  /// Whether any term counts conversions.
  let readsConversions: Bool
  /// The index of the term that counts visits.
  let visits: Int?
  /// The index of the term that counts decisions.
  let decisions: Int?

  init(_ metrics: [Metric], code: (String) -> UInt32?) {
    var terms: [RewardSignal] = []
    func index(_ term: Metric.Term) -> Int {
      // No goal has the code of one that the log does not have.
      let coded = RewardSignal(term.count, goal: term.goal.map { code($0) ?? .max })
      if let index = terms.firstIndex(of: coded) { return index }
      terms.append(coded)
      return terms.count - 1
    }
    formulas = metrics.map { metric in
      Formula(
        numerator: index(metric.term), denominator: metric.denominator.map(index),
        isCapped: metric.term.count != .converted)
    }
    self.terms = terms
    needs = terms.reduce(.decisions) { $0.union($1.needs) }
    readsGoals = terms.contains(where: \.readsGoals)
    readsConversions = terms.contains(where: \.readsConversions)
    visits = terms.firstIndex { $0.count == .visits }
    decisions = terms.firstIndex { $0.count == .decisions }
  }
}
