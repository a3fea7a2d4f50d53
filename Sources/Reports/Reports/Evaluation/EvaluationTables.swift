internal import EventLog
internal import OffPolicy
internal import Replay
internal import Specifications
internal import Tables

/// The tables and plots of the report `evaluate`.
struct EvaluationTables {
  let report: EvaluationReport
  let evaluations: [Evaluation]
  let names: LogNames
  /// The evaluations under other windows, by experiment.
  var windows: [(window: Int64?, evaluations: [UInt32: Evaluation])] = []
  /// By evaluation, the value of the policy in its own log.
  var truths: [TrueValue] = []
  /// By evaluation and policy.
  let verdicts: [[EvaluationVerdict]]
  /// The places of the evaluations, in the order of the names of their experiments.
  let experiments: [Int]
  /// All experiments and policies, in the order of the rows.
  let places: [Place]

  init(_ report: EvaluationReport, _ evaluations: [Evaluation], _ names: LogNames) {
    self.report = report
    self.evaluations = evaluations
    self.names = names
    verdicts = evaluations.map { evaluation in
      evaluation.policies.map { EvaluationVerdict($0, evaluation) }
    }
    let policies = Self.order(report.plan.policies.map(\.specification.description))
    experiments = Self.order(
      evaluations.map { names.string($0.experiment, in: .experiments) ?? "" })
    places = experiments.flatMap { evaluation in
      policies.map { Place(evaluation: evaluation, policy: $0) }
    }
  }

  /// Returns one of the tables, its rows sorted by the bytes of their keys.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  func table(_ table: EvaluationTable) throws(TableError) -> Table {
    var result = try draft(table).table().sorted()
    note(&result)
    return result
  }

  /// Returns the columns of one of the tables, with what makes it.
  func draft(_ table: EvaluationTable) -> TableDraft {
    switch table {
    case .values: values()
    case .support: support()
    case .overlap: overlap()
    case .propensities: propensities()
    case .weights: weights()
    case .versus: versus()
    case .windows: windowTable()
    case .time: time()
    case .truth: truth()
    }
  }

  /// The tables of no experiment, with all columns.
  static var empty: EvaluationTables {
    var report = EvaluationReport()
    report.plan.dividesSlots = true
    return EvaluationTables(report, [], LogNames(path: "", []))
  }

  /// The problem, if a check that was requested failed.
  var alarm: String? {
    guard report.alarms.contains(.support) else { return nil }
    guard !judged.isEmpty else { return "support: there is no experiment to answer from" }
    let failed = judged.filter { $0.verdict.answer != .answers }
    guard let first = failed.first else { return nil }
    let more = failed.count > 1 ? "; and \(failed.count - 1) more" : ""
    return "support: \(first.title): \(first.verdict.sentence)\(more)"
  }

  /// The verdict on each policy, the learning ones last.
  var judged: [(title: String, verdict: EvaluationVerdict)] {
    places.map { (title($0), verdict($0)) }
      + learners.map { evaluation, tally in
        let policy = tally.policy.specification.description
        return (
          evaluations.count > 1 ? "\(policy) in \(name(evaluation))" : policy,
          EvaluationVerdict(tally, evaluation)
        )
      }
  }

  // MARK: Places

  /// An experiment and a policy.
  struct Place {
    let evaluation: Int
    let policy: Int
  }

  /// Returns the places of names in the order of their bytes.
  private static func order(_ names: [String]) -> [Int] {
    names.indices.sorted { (NameKey(names[$0]), $0) < (NameKey(names[$1]), $1) }
  }

  func evaluation(_ place: Place) -> Evaluation { evaluations[place.evaluation] }

  func tally(_ place: Place) -> PolicyTally { evaluation(place).policies[place.policy] }

  func verdict(_ place: Place) -> EvaluationVerdict { verdicts[place.evaluation][place.policy] }

  /// Returns the name of an experiment.
  func name(_ evaluation: Evaluation) -> String {
    names.string(evaluation.experiment, in: .experiments) ?? ""
  }

  /// Returns the specification of a policy.
  func policy(_ index: Int) -> String { report.plan.policies[index].specification.description }

  /// Returns the specification of an estimator.
  func estimator(_ index: Int) -> String {
    report.plan.estimators[index].specification.description
  }

  func variant(_ code: UInt32) -> String { names.string(code, in: .variants) ?? "" }

  /// Returns the policy, with its experiment if there are several.
  func title(_ place: Place) -> String {
    let policy = policy(place.policy)
    return evaluations.count > 1 ? "\(policy) in \(name(evaluation(place)))" : policy
  }

  /// Returns the names of a place and an estimator.
  func names(_ place: Place, _ estimator: Int? = nil) -> PolicyNames {
    PolicyNames(
      experiment: name(evaluation(place)), policy: policy(place.policy),
      estimator: estimator.map(self.estimator))
  }

  /// Returns a window as text, such as `7d` or `none`.
  static func text(window: Int64?) -> String { window.map { DurationText.text($0) } ?? "none" }
}

/// The key of a row of an evaluation.
struct PolicyNames {
  var experiment: String
  var policy: String
  var estimator: String?
}

extension ReportColumns {
  /// The key columns of experiment and policy.
  static func policy(_ names: @escaping (Row) -> PolicyNames) -> Self {
    experiment { names($0).experiment }
      + key("policy", "the policy that is evaluated") { names($0).policy }
  }

  /// The key column of the estimator.
  static func estimator(_ names: @escaping (Row) -> PolicyNames) -> Self {
    key("estimator", "how its value is estimated") { names($0).estimator }
  }
}
