/// The metrics of a projector, compiled to a list of distinct terms with the codes of the log.
struct MetricFormulas: Sendable {
  /// A quantity that is summed.
  struct Term: Hashable, Sendable {
    var count: Metric.Count
    /// The code of the goal; nil for all.
    var goal: UInt32?

    /// Returns whether goals or conversions with a code are included.
    func takes(_ code: UInt32) -> Bool { goal.map { $0 == code } ?? true }
  }

  /// A metric, as the indices of its terms.
  struct Formula: Sendable {
    var numerator: Int
    var denominator: Int?
    var isCapped: Bool
  }

  private(set) var terms: [Term] = []
  private(set) var formulas: [Formula] = []
  let needs: UnitNeeds

  /// A code that no goal has.
  private static let nobody = UInt32.max

  init(_ metrics: [Metric], code: (String) -> UInt32?) {
    var terms: [Term] = []
    func index(_ term: Metric.Term) -> Int {
      let coded = Term(count: term.count, goal: term.goal.map { code($0) ?? Self.nobody })
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
    needs = terms.reduce(.decisions) { $0.union(Self.needs($1.count)) }
  }

  private static func needs(_ count: Metric.Count) -> UnitNeeds {
    switch count {
    case .reward, .goals: .goals
    case .converted: [.goals, .conversions]
    case .conversions, .revenue: .conversions
    case .decisions: .decisions
    case .visits: [.decisions, .goals, .conversions, .activity]
    }
  }

  /// Whether any term counts conversions.
  var readsConversions: Bool {
    terms.contains { [.converted, .conversions, .revenue].contains($0.count) }
  }

  /// Whether any term counts goals of the experiment.
  var readsGoals: Bool { terms.contains { [.reward, .goals, .converted].contains($0.count) } }

  /// The index of the term that counts visits.
  var visits: Int? { terms.firstIndex { $0.count == .visits } }

  /// The index of the term that counts decisions.
  var decisions: Int? { terms.firstIndex { $0.count == .decisions } }
}
