/// The metrics of a projector as terms of codes, each term once.
struct MetricFormulas: Sendable {
  /// Something that is added up.
  struct Term: Hashable, Sendable {
    var count: Metric.Count
    /// Code of the goal; nil for all.
    var goal: UInt32?

    /// Whether goals or conversions of a code are what it adds up.
    func takes(_ code: UInt32) -> Bool { goal.map { $0 == code } ?? true }
  }

  /// A metric: the indices of its terms.
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

  /// Whether a term is of conversions.
  var readsConversions: Bool {
    terms.contains { [.converted, .conversions, .revenue].contains($0.count) }
  }

  /// Whether a term is of the experiment's goals.
  var readsGoals: Bool { terms.contains { [.reward, .goals, .converted].contains($0.count) } }

  /// The index of the term that counts visits.
  var visits: Int? { terms.firstIndex { $0.count == .visits } }

  /// The index of the term that counts decisions.
  var decisions: Int? { terms.firstIndex { $0.count == .decisions } }
}
