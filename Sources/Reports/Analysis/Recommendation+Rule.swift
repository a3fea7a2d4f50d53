internal import Events
internal import Replay

extension Recommendation {
  /// The state of a guardrail.
  enum GuardrailState: String, CaseIterable {
    case kept = "holds"
    /// Not significantly worse, but not shown to be within its margin.
    case open = "not shown to hold"
    case worse
    /// There is no test: it is too early, the values do not vary, or the data are damaged.
    case untested = "not tested"
  }

  /// Returns what to do with a variant.
  ///
  /// Damaged data come first, then whether it is too early, then a guardrail that is worse, then the goal metric. A
  /// guardrail is worse if it is so significantly and its interval is not within the margin; one without a test that
  /// is not as good as the baseline keeps a better variant from being shipped.
  ///
  /// - Parameters:
  ///   - goal: The row of `compare` of the goal metric.
  ///   - guardrails: The row of each guardrail, with its rule.
  ///   - pace: The units so far and those needed.
  ///   - entry: The plan of the experiment.
  init(
    goal: NamedCells, guardrails: [(row: NamedCells, rule: AnalysisPlan.Guardrail)], pace: RecruitmentPace,
    _ entry: AnalysisPlan.Entry
  ) {
    let rows = [goal] + guardrails.map(\.row)
    if let damaged = rows.first(where: { ComparisonAnswer.verdict($0) == .notValid }) {
      self.init(.notValid, reason: ComparisonAnswer.words(damaged.text("reason") ?? ""))
      return
    }
    // What may be damaged: the check needs what the source does not store.
    let ratio = HealthCheck.Name.sampleRatio.rawValue + ":"
    if let unchecked = rows.first(where: { $0.text("reason")?.hasPrefix(ratio) ?? false }) {
      self.init(.notValid, reason: ComparisonAnswer.words(unchecked.text("reason") ?? ""))
      return
    }
    if let reason = goal.text("reason"), reason.hasPrefix(VerdictFinding.adaptivePolicy) {
      self.init(.notValid, reason: ComparisonAnswer.words(reason))
      return
    }
    guard !pace.isEarly(entry.stopping) else {
      self.init(early: pace, entry)
      return
    }
    let states = guardrails.map { (row: $0.row, state: GuardrailState($0.row, $0.rule), rule: $0.rule) }
    if let worse = states.first(where: { $0.state == .worse }) {
      self.init(.rollBack, reason: "guardrail \(Self.amount(worse.row)) is worse")
      return
    }
    switch ComparisonAnswer.verdict(goal) {
    case .worse: self.init(.rollBack, reason: "\(Self.amount(goal)) is worse")
    case .better:
      if let unknown = states.first(where: { $0.state == .untested && $0.rule.seemsBroken(in: $0.row) }) {
        let why = ComparisonAnswer.words(unknown.row.text("reason") ?? "")
        self.init(
          .keepRunning,
          reason: "\(Self.amount(goal)) is better, but guardrail \(Self.amount(unknown.row)) cannot be tested: \(why)")
        return
      }
      let open = states.filter { $0.state != .kept }.map { $0.row.text("metric") ?? "" }
      let rest =
        guardrails.isEmpty
        ? ""
        : open.isEmpty
          ? "; no guardrail is worse"
          : "; no guardrail is worse, but \(open.joined(separator: ", ")) not shown to hold"
      self.init(.ship, reason: "\(Self.amount(goal)) is better\(rest)")
    default: self.init(undecided: goal, pace, entry)
    }
  }

  /// Returns until when to wait for the planned units.
  private init(early pace: RecruitmentPace, _ entry: AnalysisPlan.Entry) {
    let when =
      pace.looks != nil
      ? "at its looks, of which none was taken"
      : pace.isComplete
        ? "when the day on which they came is over: an event of the next day, or --until, says so"
        : "once, when they are there"
    self.init(
      .keepRunning, until: pace.end,
      reason: "too early: \(pace.progress), and the plan decides \(when)\(Self.lateness(pace, entry))")
  }

  private static func lateness(_ pace: RecruitmentPace, _ entry: AnalysisPlan.Entry) -> String {
    pace.isLate(entry) ? "; they come only after the planned end" : ""
  }

  /// Returns whether to wait for more units.
  private init(undecided goal: NamedCells, _ pace: RecruitmentPace, _ entry: AnalysisPlan.Entry) {
    let metric = goal.text("metric") ?? ""
    let words = ComparisonAnswer.words(goal.text("reason") ?? "")
    let isTested = goal.text("reason")?.hasPrefix("p_value") ?? false
    let state =
      isTested
      ? "no difference found in \(Self.amount(goal))"
      : words.hasPrefix(metric) ? words : "\(metric): \(words)"
    if let looks = pace.looks, !looks.isOver {
      let number = looks.taken.last?.number ?? 0
      self.init(.keepRunning, until: looks.next, reason: "\(state), at look \(number)")
      return
    }
    if pace.looks != nil {
      self.init(.stop, reason: "\(state), at the last look")
      return
    }
    if entry.stopping != .everyLook {
      self.init(.stop, reason: "\(state), with the \(AnswerNumber.number(pace.needed ?? 0)) units that were planned")
      return
    }
    guard let effect = entry.minimumEffect else {
      self.init(
        .keepRunning, reason: "\(state); minimum_effect in the analysis file would say until when")
      return
    }
    let size = AnswerNumber.percent(effect)
    guard pace.needed != nil else {
      let why = pace.status.map { " (\($0))" } ?? ""
      self.init(.keepRunning, reason: "\(state); the units needed are not known\(why)")
      return
    }
    let units = pace.progress
    guard !pace.isComplete else {
      self.init(
        .stop,
        reason: "\(state), with \(units): no effect of at least \(size) was found at 80 % power")
      return
    }
    self.init(
      .keepRunning, until: pace.end,
      reason: "\(state), with \(units) for an effect of \(size) at 80 % power"
        + Self.lateness(pace, entry))
  }

  private static func amount(_ row: NamedCells) -> String {
    let metric = row.text("metric") ?? ""
    let pValue = row.number("p_value").map(AnswerNumber.pValue)
    let lift = row.number("lift").map(AnswerNumber.change)
    let notes = [lift, pValue].compactMap { $0 }
    return notes.isEmpty ? metric : "\(metric) (\(notes.joined(separator: ", ")))"
  }
}

extension Recommendation.GuardrailState {
  /// Finds the state by the end of the interval on the worse side.
  init(_ row: NamedCells, _ rule: AnalysisPlan.Guardrail) {
    let verdict = ComparisonAnswer.verdict(row)
    guard let verdict, verdict.isTested else {
      self = .untested
      return
    }
    let open: Self = verdict == .worse ? .worse : .open
    guard let margin = rule.margin else {
      self = open == .worse ? .worse : .kept
      return
    }
    let worst =
      rule.metric.direction == .lower
      ? row.number("lift_ci_high") : row.number("lift_ci_low").map { -$0 }
    self = worst.map { $0 < margin } ?? false ? .kept : open
  }
}

extension AnalysisPlan.Guardrail {
  /// Whether a variant is not as good as the baseline in it, or the difference is not known.
  fileprivate func seemsBroken(in row: NamedCells) -> Bool {
    row.number("difference").map { metric.direction == .neutral ? $0 != 0 : metric.direction.sign * $0 < 0 } ?? true
  }
}
