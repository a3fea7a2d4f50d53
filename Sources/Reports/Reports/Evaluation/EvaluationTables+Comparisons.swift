internal import Events
internal import OffPolicy
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension EvaluationTables {
  /// Returns the difference of each policy to the one that they are compared with.
  func versus() -> TableDraft {
    let versus = report.plan.versus
    let rows = places.filter { $0.policy != versus }.flatMap { place in
      tally(place).differences.enumerated().compactMap { index, difference in
        guard let difference, let versus else { return nil as VersusRow? }
        return VersusRow(
          names: names(place, index), versus: policy(versus), difference: difference,
          level: report.level, withheld: withheld(place, versus),
          value: tally(place).estimates[index].sums.value,
          versusValue: evaluation(place).policies[versus].estimates[index].sums.value)
      }
    }
    return TableDraft(name: "versus", title: "Differences between policies", of: rows) { columns in
      columns.policy(\.names)
      columns.key("versus", "the policy that it is compared with", \.versus)
      columns.estimator(\.names)
      columns.measure(
        "decisions", "decisions that both policies could be evaluated on", \.difference.count
      ).main
      columns.explained(
        """
        value of the policy less that of the other one, on the decisions that both could be evaluated on; se = sqrt(sum \
        (psi_u - psi'_u)^2 / (U (U - 1))), interval and two-sided test by Student t with U - 1 df; for estimators that \
        are sums of terms of single decisions
        """, source: "paired t of influence values: W. G. Cochran, 1977; Student, 1908",
        as: "difference, p_value, versus_value (--versus)",
        .measure(
          "difference", "the value of the policy less that of the other one", \.difference.value
        ).estimate.main)
      columns.measure(
        "se", "the standard error of the difference, by unit and paired"
      ) { $0.withheld == nil ? $0.difference.standardError : nil }.estimate.main
      columns.interval("ci", "the interval of the difference", \.test?.interval).estimate.main
      columns.measure("p_value", "against no difference, two-sided", \.test?.pValue).pValue.main.explained(
        with: "difference")
      columns.measure("value", "the value of the policy", \.value).estimate
      columns.measure("versus_value", "the value of the other policy", \.versusValue).estimate.explained(
        with: "difference")
      columns.measure("units", "distinct units among the decisions", \.difference.units)
      columns.estimateStatus { EstimateStatus.text($0.difference.missingError, withheld: $0.withheld) }
    }
  }

  private struct VersusRow {
    let names: PolicyNames
    let versus: String
    let difference: PairedDifference
    let level: Double
    let withheld: String?
    let value, versusValue: Double?

    var test: Difference? { withheld == nil ? difference.difference(level: level) : nil }
  }

  /// Returns the reason for which the log cannot answer for a policy or for the one that it is compared with, with the
  /// policy; nil if there is none.
  private func withheld(_ place: Place, _ versus: Int) -> String? {
    for index in [place.policy, versus] {
      if let reason = verdicts[place.evaluation][index].withheld { return "\(policy(index)): \(reason)" }
    }
    return nil
  }

  /// Returns in a sentence by how much a policy earns more than the one that it is compared with, by the first
  /// estimator that tells.
  func versusSentence(_ place: Place) -> String? {
    guard let versus = report.plan.versus, place.policy != versus else { return nil }
    for index in [place.policy, versus]
    where verdicts[place.evaluation][index].answer == .cannotAnswer {
      return
        "\(title(place)): the log cannot tell its difference to \(policy(versus)): it cannot answer for "
        + "\(policy(index))"
    }
    for (index, difference) in tally(place).differences.enumerated() {
      guard let test = difference?.difference(level: report.level), let interval = test.interval
      else { continue }
      let metric = report.rewards.metric.metric
      let isLessBetter = metric.direction == .lower
      let text = { MetricWords(metric).size($0, or: { NumberText.readable($0) }) }
      let amount = text(abs(test.estimate)) + (metric.label.map { " in \($0.words)" } ?? "")
      let less = test.estimate < 0
      let ends = "[\(text(interval.low)), \(text(interval.high))]"
      let chance =
        interval.low <= 0 && interval.high >= 0 ? "; the interval includes 0" : ""
      return
        "policy \(title(place)) earns \(amount) \(less ? "less" : "more") than \(policy(versus))"
        + "\(isLessBetter ? ", and less is better" : "") \(ends) by "
        + "\(estimator(index))\(chance)"
    }
    return "\(title(place)): no estimator tells its difference to \(policy(versus))"
  }

  /// Returns the value of each policy under other attribution windows.
  func windowTable() -> TableDraft {
    var rows: [WindowRow] = []
    for (window, others) in windows {
      for place in places {
        let own = evaluation(place)
        guard let other = others[own.experiment] else { continue }
        rows += report.plan.estimators.indices.map { index in
          WindowRow(
            names: names(place, index), window: Self.text(window: window),
            sums: other.policies[place.policy].estimates[index].sums,
            value: tally(place).estimates[index].sums.value, withheld: verdict(place).withheld,
            goals: other.rewards.creditedGoals)
        }
      }
    }
    return TableDraft(
      name: "windows", title: "Values under other attribution windows", of: rows
    ) { columns in
      columns.policy(\.names)
      columns.estimator(\.names)
      columns.explained(
        """
        the value with goals credited within that window after a decision instead of --window; less the value in the \
        other tables; the same over |that value|; goals credited. A change that grows with the window means that \
        rewards are late, and that recent decisions are not done earning
        """, as: "window, change, relative_change, goals (--windows)",
        .key("window", "how long after a decision goals count, or none for no limit", \.window))
      columns.measure("decisions", "confirmed decisions with a propensity", \.sums.count).main
      columns.measure("value", "the estimated value under this window", \.sums.value).estimate.main
      columns.measure("se", "its standard error, by unit") { $0.withheld == nil ? $0.sums.standardError : nil }
        .estimate.main
      columns.measure("change", "value less that under the window of the other tables", \.change)
        .estimate.main.explained(with: "window")
      columns.measure(
        "relative_change", "change / value under the window of the other tables", \.relativeChange
      ).share.main.explained(with: "window")
      columns.measure("goals", "goals that are credited to a decision under this window", \.goals)
        .main.explained(with: "window")
      columns.estimateStatus { EstimateStatus.text($0.sums.missingError, withheld: $0.withheld) }
    }
  }

  private struct WindowRow {
    let names: PolicyNames
    let window: String
    let sums: OffPolicySums
    /// The value under the window of the other tables.
    let value: Double?
    let withheld: String?
    let goals: Int

    var change: Double? { sums.value.flatMap { other in value.map { other - $0 } } }

    var relativeChange: Double? {
      change.flatMap { change in value.flatMap { $0 != 0 ? change / abs($0) : nil } }
    }
  }

  /// Returns the value of each policy in each period.
  func time() -> TableDraft {
    let rows = places.flatMap { place in
      tally(place).periods.sorted { $0.key < $1.key }.flatMap { period, tally in
        tally.sums.enumerated().compactMap { index, sums in
          sums.map {
            (
              names: names(place, index), period: period, periods: evaluation(place).periods,
              sums: $0,
              withheld: verdict(place).withheld
                ?? EvaluationChecks.shortage(tally.effectiveSampleSize, of: $0.count), tally: tally
            )
          }
        }
      }
    }
    return TableDraft(name: "time", title: "Values over time", of: rows) { columns in
      columns.policy { $0.names }
      columns.estimator { $0.names }
      columns.explained(
        """
        periods in UTC, those of days in --time-zone: the shortest of a minute, an hour, a day, a week (from Monday), \
        4 and 52 weeks and their doubles with at most 60 from the first to the last decision; a decision belongs to that \
        of its time, its reward whenever it came. Normal intervals
        """, as: "start, end (--table time)",
        .key("start", "start of the period") { $0.periods?.zoned($0.period) },
        .measure("end", "end of the period, which does not belong to it") {
          $0.periods?.zoned($0.period + 1)
        })
      columns.measure("decisions", "confirmed decisions with a propensity in the period") {
        $0.sums.count
      }.main
      columns.measure("value", "the estimated value from these") { $0.sums.value }.estimate.main
      columns.measure("se", "its standard error, by unit") { $0.withheld == nil ? $0.sums.standardError : nil }
        .estimate
      columns.interval("ci", "its normal interval") {
        $0.withheld == nil ? $0.sums.interval(level: report.level) : nil
      }.estimate.main
      columns.measure("effective_sample_size", "(sum of weights)^2 / sum of squared weights") {
        $0.tally.effectiveSampleSize
      }.count.main
      columns.estimateStatus { EstimateStatus.text($0.sums.missingError, withheld: $0.withheld) }
    }
  }
}

extension EvaluationPeriods {
  /// Returns the start of a period as clocks show it.
  fileprivate func zoned(_ index: Int64) -> ZonedTime {
    ZonedTime(time: start(index), calendar: calendar)
  }
}
