public import OffPolicy
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// Whether a log can answer what a target policy would have earned, and why not.
///
/// The thresholds are in ``EvaluationReport/explanation``.
public struct EvaluationVerdict: Sendable, Equatable {
  /// The verdict.
  public enum Answer: String, CaseIterable, Sendable {
    /// No check found a reason for doubt.
    case answers
    /// The estimates are uncertain beyond what their intervals say.
    case weak
    /// The estimates say nothing about the policy.
    case cannotAnswer = "cannot-answer"
  }

  /// The verdict: the worst that a reason gives.
  public private(set) var answer = Answer.answers
  /// The reasons, the worst first; empty if the log answers.
  public private(set) var reasons: [String] = []
  /// The first reason for which the log cannot answer, so that estimates have neither standard error nor interval; nil
  /// if it can.
  public var withheld: String? { answer == .cannotAnswer ? reasons.first : nil }
  /// The reason for which there are no estimates; nil if the experiment has a variant that the policy names.
  public private(set) var absence: String?
  /// The evidence of the verdict, if the log answers.
  private var basis = ""

  /// Creates the verdict on a policy.
  ///
  /// - Parameters:
  ///   - tally: What is known of the policy.
  ///   - evaluation: The evaluation that it is part of.
  public init(_ tally: PolicyTally, _ evaluation: Evaluation) {
    var checks = EvaluationChecks(tally, evaluation)
    checks.run()
    let worst = checks.findings.filter { $0.answer == .cannotAnswer }
    let others = checks.findings.filter { $0.answer == .weak }
    reasons = (worst + others).map(\.reason)
    answer = worst.isEmpty ? (others.isEmpty ? .answers : .weak) : .cannotAnswer
    absence = tally.isAbsent ? reasons.first : nil
    basis = checks.basis
  }

  /// Creates the verdict on a learning policy.
  ///
  /// - Parameters:
  ///   - tally: What came of the policy.
  ///   - evaluation: The evaluation that it is part of.
  public init(_ tally: LearningPolicyTally, _ evaluation: Evaluation) {
    let decisions = evaluation.ledger.decisions
    guard decisions > 0 else {
      (answer, reasons) = (.cannotAnswer, [EvaluationChecks.nothing(evaluation.ledger)])
      return
    }
    // The decisions of several runs are of the same log.
    let accepted = tally.accepted / max(1, tally.runs)
    basis = "\(accepted) of \(decisions) decisions were accepted"
    if accepted < 100 {
      answer = accepted < 30 ? .cannotAnswer : .weak
      reasons = [basis]
    }
    guard tally.belowFloor > 0 else { return }
    answer = answer == .cannotAnswer ? answer : .weak
    reasons.append("\(tally.belowFloor) decisions have a propensity below the floor")
  }

  /// The verdict with its reasons, such as `weak: the effective sample size is 66 of 10000 decisions`.
  public var sentence: String {
    "\(answer.rawValue): \(reasons.isEmpty ? basis : reasons.joined(separator: "; "))"
  }
}

/// The checks behind a verdict.
struct EvaluationChecks {
  struct Finding {
    var answer: EvaluationVerdict.Answer
    var reason: String
  }

  let tally: PolicyTally
  let evaluation: Evaluation
  var findings: [Finding] = []
  var basis = ""

  init(_ tally: PolicyTally, _ evaluation: Evaluation) {
    self.tally = tally
    self.evaluation = evaluation
  }

  /// Adds a finding if a number is above one of its limits.
  private mutating func find(
    _ number: Double?, weakAbove weak: Double, cannotAbove worst: Double = .infinity, _ reason: String
  ) {
    guard let number, number > weak else { return }
    findings.append(Finding(answer: number > worst ? .cannotAnswer : .weak, reason: reason))
  }

  mutating func run() {
    let ledger = evaluation.ledger
    guard ledger.decisions > 0 else { return cannot(Self.nothing(ledger)) }
    checkNames()
    guard !tally.isAbsent else { return }
    guard tally.support.decisions > 0 else {
      return cannot("the policy names no probabilities for any of \(ledger.decisions) decisions")
    }
    guard let size = tally.weights.effectiveSampleSize else {
      return cannot("the policy would have made none of the \(tally.weights.count) decisions")
    }
    checkSize(size)
    checkSupport()
    checkMeanWeight()
    checkTail()
    let leftOut = ledger.decisions - tally.weights.count
    find(
      Double(leftOut) / Double(ledger.decisions), weakAbove: 0.01,
      "\(leftOut) of \(ledger.decisions) decisions are left out: the policy names no probabilities, or the model no "
        + "reward")
    checkPropensities()
    checkValues()
    checkRewards()
    basis =
      "effective sample size \(Self.text(size)) of \(tally.weights.count) decisions, mean weight "
      + Self.text(tally.weights.mean ?? 0)
  }

  private mutating func cannot(_ reason: String) {
    findings.append(Finding(answer: .cannotAnswer, reason: reason))
  }

  static func nothing(_ ledger: EvaluationLedger) -> String {
    let counted = ledger.withoutPropensity + ledger.wrongPropensity + ledger.unknownVariant
    if ledger.withoutPropensity == counted {
      return counted == 0
        ? "there are no decisions"
        : "none of the \(counted) decisions has a propensity, the probability with which its variant was chosen; log "
          + "\"propensity\" with each decision"
    }
    return
      "none of the \(counted) decisions can be used: \(ledger.withoutPropensity) without propensity, "
      + "\(ledger.wrongPropensity) with one outside (0, 1], \(ledger.unknownVariant) with a variant that is not among "
      + "their choices"
  }

  /// The other choices have the probability of a variant that the policy names and the experiment does not have.
  private mutating func checkNames() {
    guard let name = tally.absentVariants.first else { return }
    let others = tally.absentVariants.count - 1
    findings.append(
      Finding(
        answer: tally.isAbsent ? .cannotAnswer : .weak,
        reason: "no decision has the variant \"\(name)\""
          + (others > 0 ? ", or \(others) more that the policy names" : "")
          + NearestName.remedy(for: name, among: evaluation.variants, lead: "the experiment has")))
  }

  private mutating func checkValues() {
    let all = tally.estimates.map(\.sums)
    guard let first = all.first, all.allSatisfy({ $0.value?.isFinite != true }) else { return }
    cannot(
      first.missingError == .notFinite
        ? "the rewards are beyond the range of numbers"
        : all.allSatisfy { $0.missingError == .drawnChoices }
          ? "replay has no value of a policy that is not sure of its choice" : "no estimator has a value")
  }

  private mutating func checkRewards() {
    guard findings.isEmpty, let rewards = tally.estimates.first?.sums.evidence.earning,
      rewards < 10
    else { return }
    let units =
      rewards == 0 ? "no unit has" : rewards == 1 ? "one unit has" : "\(rewards) units have"
    findings.append(
      Finding(answer: .weak, reason: "\(units) a reward other than 0 with weight"))
  }

  /// Returns the reason for which an effective sample size is too small for a standard error; nil if it is not.
  static func shortage(_ size: Double?, of count: Int) -> String? {
    size.flatMap { $0 < 30 ? sizeText($0, of: count) : nil }
  }

  private static func sizeText(_ size: Double, of count: Int) -> String {
    "the effective sample size is \(text(size)) of \(count) decisions"
  }

  private mutating func checkSize(_ size: Double) {
    let count = tally.weights.count
    let reason = Self.sizeText(size, of: count)
    if Self.shortage(size, of: count) != nil {
      cannot(reason)
    } else if size < 100 || size < 0.01 * Double(count) {
      findings.append(Finding(answer: .weak, reason: reason))
    }
  }

  private mutating func checkSupport() {
    let beside = tally.support.targetBesideChoices / Double(tally.support.decisions)
    let absent = beside > 0.001 ? " (\(Self.share(beside)) is not even among the choices)" : ""
    find(
      tally.support.shareWithoutSupport, weakAbove: 0.01, cannotAbove: 0.1,
      "\(Self.share(tally.support.shareWithoutSupport)) of what the policy would choose has no support in the "
        + "log\(absent), in \(tally.support.decisionsWithoutSupport) of \(tally.support.decisions) decisions")
  }

  private mutating func checkMeanWeight() {
    guard let mean = tally.weights.mean, let statistic = tally.weightStatistic,
      abs(statistic) > 3
    else { return }
    find(
      abs(mean - 1), weakAbove: 0.01, cannotAbove: 0.1,
      "the mean weight is \(Self.text(mean)), \(Self.text(abs(statistic))) standard errors from 1: propensities are "
        + "wrong, or the log lacks support")
  }

  private mutating func checkTail() {
    let weights = tally.weights
    let total = (weights.mean ?? 0) * Double(weights.count)
    let share = weights.greatest.map { $0 / total }
    find(
      share, weakAbove: 0.1, cannotAbove: 0.5,
      "a single decision has \(Self.share(share)) of the weight")
    let index = weights.histogram.tailIndex
    find(
      index, weakAbove: 0.7,
      "the tail index of the weights is \(Self.text(index ?? 0)), too heavy for standard errors")
  }

  private mutating func checkPropensities() {
    for (name, logged) in loggedPlaces {
      guard let statistic = logged.statistic, let mean = logged.inverses.mean,
        let choices = logged.meanChoices, statistic > 3
      else { continue }
      find(
        mean / choices - 1, weakAbove: 0.01,
        "at \(name.point)/\(name.slot) the mean of 1/propensity is \(Self.text(mean)), \(Self.text(statistic)) "
          + "standard errors above its \(Self.text(choices)) choices: propensities are too small")
    }
  }

  /// The logged propensities of places, in bytewise order of their names.
  private var loggedPlaces: [(name: (point: String, slot: String), logged: LoggingTally.Place)] {
    zip(evaluation.places, evaluation.logging.places).map { ($0, $1) }.sorted { a, b in
      let (one, other) = ([a.0.point, a.0.slot], [b.0.point, b.0.slot])
      for (a, b) in zip(one, other) where !a.utf8.elementsEqual(b.utf8) {
        return a.utf8.lexicographicallyPrecedes(b.utf8)
      }
      return false
    }
  }

  /// Returns a number with about three digits.
  private static func text(_ number: Double) -> String {
    let size = abs(number)
    if size >= 100 { return NumberText.readable(number.rounded()) }
    let scale = size >= 10 ? 10.0 : size >= 1 ? 100 : size >= 0.01 ? 1_000 : 1e6
    return NumberText.readable((number * scale).rounded() / scale)
  }

  private static func share(_ share: Double?) -> String {
    Percent.text(((share ?? 0) * 1_000).rounded() / 1_000)
  }
}
