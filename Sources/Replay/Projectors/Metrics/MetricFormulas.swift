/// The metrics of a projector, compiled to a list of distinct terms with the codes of the log.
struct MetricFormulas: Sendable {
  /// A metric, as the indices of its terms.
  struct Formula: Sendable {
    var numerator: Int
    var denominator: Int?
    var isCapped: Bool
    /// The cap of the metric itself, unless it is a percentile.
    var cap: Double?
  }

  /// Terms that count within the same window.
  struct Group: Sendable {
    /// The window of the metrics; nil for that of the attribution.
    let window: Metric.Window?
    fileprivate(set) var terms: [Int] = []
  }

  /// The quantities that are summed.
  let terms: [RewardSignal]
  /// The terms by their windows, each in one group.
  let groups: [Group]
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
    var groups = [Group(window: nil)]
    func index(_ term: Metric.Term, _ window: Metric.Window?) -> Int {
      // No goal has the code of one that the log does not have.
      let coded = RewardSignal(term.count, goal: term.goal.map { code($0) ?? .max })
      let group = groups.firstIndex { $0.window == window } ?? groups.count
      if group == groups.count { groups.append(Group(window: window)) }
      if let index = groups[group].terms.first(where: { terms[$0] == coded }) { return index }
      groups[group].terms.append(terms.count)
      terms.append(coded)
      return terms.count - 1
    }
    formulas = metrics.map { metric in
      var cap: Double?
      if case .absolute(let own) = metric.cap { cap = own }
      return Formula(
        numerator: index(metric.term, metric.window),
        denominator: metric.denominator.map { index($0, metric.window) },
        isCapped: metric.term.count != .converted, cap: cap)
    }
    self.terms = terms
    self.groups = groups.filter { !$0.terms.isEmpty }
    needs = terms.reduce(.decisions) { $0.union($1.needs) }
    readsGoals = terms.contains(where: \.readsGoals)
    readsConversions = terms.contains(where: \.readsConversions)
    visits = terms.firstIndex { $0.count == .visits }
    decisions = terms.firstIndex { $0.count == .decisions }
  }
}
