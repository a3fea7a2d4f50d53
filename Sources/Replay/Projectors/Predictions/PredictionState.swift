internal import Events
internal import Prediction
internal import Specifications

/// The scores of predictors without a pool on one or more logs, with the catalog of its numbers.
struct PredictionState: Sendable {
  /// The plan, with the catalog.
  var plan: EvaluationPlan
  /// The scores of each predictor.
  var tallies: [PredictionTallies]
  var skills: SegmentTable<SkillTable>
  /// The counts of units' events.
  var ledger = PredictionLedger()
  /// The configurations of everyone, which each log has and which count once.
  var ofEveryone = (read: 0, unreadable: 0)

  /// Creates a state without scores.
  init(_ plan: EvaluationPlan, predictors: Int) {
    self.plan = plan
    tallies = Array(repeating: PredictionTallies(plan), count: predictors)
    let (studies, values) = (plan.catalog.studies.count, plan.catalog.values.count)
    skills = SegmentTable(SkillTable(count: predictors), .below(studies), .below(values))
  }

  /// All counts.
  var total: PredictionLedger {
    var total = ledger
    total.configurations += ofEveryone.read
    total.unreadableConfigurations += ofEveryone.unreadable
    return total
  }

  /// Merges the scores on another log. Numbers of catalogs are those of their names' order from then on.
  mutating func merge(_ other: PredictionState) {
    let catalog = StudyCatalog(union: [plan.catalog, other.plan.catalog])
    if !catalog.hasSameNames(as: plan.catalog) {
      let own = self
      (plan, tallies, skills) = own.emptied(catalog)
      add(own)
    }
    add(other)
    let unread = max(ledger.unreadAttributes, other.ledger.unreadAttributes)
    ledger.merge(other.ledger)
    ledger.unreadAttributes = unread
    ofEveryone = (
      max(ofEveryone.read, other.ofEveryone.read),
      max(ofEveryone.unreadable, other.ofEveryone.unreadable)
    )
  }

  /// The state with numbers that follow from names alone.
  var canonical: PredictionState {
    var state = self
    (state.plan, state.tallies, state.skills) = emptied(StudyCatalog(union: [plan.catalog]))
    state.add(self)
    return state
  }

  private func emptied(
    _ catalog: StudyCatalog
  ) -> (EvaluationPlan, [PredictionTallies], SegmentTable<SkillTable>) {
    var plan = plan
    plan.catalog = catalog
    let empty = PredictionState(plan, predictors: tallies.count)
    return (plan, empty.tallies, empty.skills)
  }

  /// Adds scores whose names are in the catalog.
  private mutating func add(_ other: PredictionState) {
    let translation = other.plan.catalog.translation(to: plan.catalog)
    for index in tallies.indices { tallies[index].merge(other.tallies[index], translation) }
    for (index, table) in other.skills.tallies.enumerated() {
      let (study, value) = other.skills.segment(at: index)
      let place = skills.place(
        of: translation.studies[Int(study)], translation.values[Int(value)])
      skills.tallies[place].merge(table)
    }
  }
}

// MARK: State

extension PredictionState {
  func write(to writer: inout StateWriter) {
    plan.catalog.write(to: &writer)
    tallies.write(to: &writer)
    skills.write(to: &writer)
    ledger.write(to: &writer)
    ofEveryone.read.write(to: &writer)
    ofEveryone.unreadable.write(to: &writer)
  }

  /// Reads a state.
  ///
  /// - Throws: `StateError` if the bytes are not a state of as many predictors with the same plan.
  init(
    _ plan: EvaluationPlan, predictors: Int, from reader: inout StateReader
  ) throws(StateError) {
    var plan = plan
    plan.catalog = try StudyCatalog(from: &reader)
    self.init(plan, predictors: predictors)
    try tallies.read(from: &reader)
    try skills.read(from: &reader)
    try ledger.read(from: &reader)
    try ofEveryone.read.read(from: &reader)
    try ofEveryone.unreadable.read(from: &reader)
  }
}
