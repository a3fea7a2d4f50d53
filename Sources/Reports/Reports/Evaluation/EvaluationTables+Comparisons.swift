internal import Events
internal import Replay
internal import Statistics
internal import Tables

extension EvaluationTables {
  private static let versusColumns: [TableColumn] =
    keyColumns + [
      .key("versus", .text, "the policy that it is compared with"),
      estimatorColumn,
      .measure("decisions", .integer, "decisions that both policies could be evaluated on").main,
      .measure("difference", .decimal, "the value of the policy less that of the other one")
        .estimate.main,
      .measure("se", .decimal, "the standard error of the difference, by unit and paired").estimate
        .main,
      .measure("ci_low", .decimal, "lower end of the interval of the difference").estimate.main,
      .measure("ci_high", .decimal, "upper end of the interval of the difference").estimate.main,
      .measure("p_value", .decimal, "against no difference, two-sided").pValue.main,
      .measure("value", .decimal, "the value of the policy").estimate,
      .measure("versus_value", .decimal, "the value of the other policy").estimate,
      .measure("units", .integer, "distinct units among the decisions"), EstimateStatus.column,
    ]

  /// Returns the difference of each policy to the one that they are compared with.
  func versus() throws(TableError) -> Table {
    var table = try Table(
      name: "versus", title: "Differences between policies", columns: Self.versusColumns)
    guard let versus = report.plan.versus else { return table }
    for place in places where place.policy != versus {
      let (own, other) = (tally(place), evaluation(place).policies[versus])
      for (index, difference) in own.differences.enumerated() {
        guard let difference else { continue }
        let bias = bias(place, versus)
        let test = bias == nil ? difference.difference(level: report.level) : nil
        try table.append(
          row: cells(place) + [
            .text(policy(versus)), .text(estimator(index)), .integer(difference.count),
            TableCell(difference.value), TableCell(difference.standardError),
            TableCell(test?.interval?.low), TableCell(test?.interval?.high),
            TableCell(test?.pValue), TableCell(own.estimates[index].sums.value),
            TableCell(other.estimates[index].sums.value), .integer(difference.units),
            TableCell(EstimateStatus.text(difference.missingError, bias: bias)),
          ])
      }
    }
    return table
  }

  /// Returns the reason for which the value of a policy or of the one that it is compared with is another one, with the
  /// policy; nil if there is none.
  private func bias(_ place: Place, _ versus: Int) -> String? {
    for index in [place.policy, versus] {
      if let bias = verdicts[place.evaluation][index].bias { return "\(policy(index)): \(bias)" }
    }
    return nil
  }

  /// Returns in a sentence by how much a policy earns more than the one that it is compared with, by the first estimator
  /// that tells.
  func versusSentence(_ place: Place) -> String? {
    guard let versus = report.plan.versus, place.policy != versus else { return nil }
    for index in [place.policy, versus]
    where verdicts[place.evaluation][index].answer == .cannotAnswer {
      return
        "\(title(place)): the log cannot tell its difference to \(policy(versus)): it cannot answer for \(policy(index))"
    }
    for (index, difference) in tally(place).differences.enumerated() {
      guard let test = difference?.difference(level: report.level), let interval = test.interval
      else { continue }
      let amount = ReadableDecimal.text(abs(test.estimate))
      let less = test.estimate < 0
      let ends = "[\(ReadableDecimal.text(interval.low)), \(ReadableDecimal.text(interval.high))]"
      let chance =
        interval.low <= 0 && interval.high >= 0 ? "; the interval includes 0" : ""
      return
        "policy \(title(place)) earns \(amount) \(less ? "less" : "more") than \(policy(versus)) \(ends) by "
        + "\(estimator(index))\(chance)"
    }
    return "\(title(place)): no estimator tells its difference to \(policy(versus))"
  }

  private static let windowColumns: [TableColumn] =
    keyColumns + [
      estimatorColumn,
      .key("window", .text, "how long after a decision goals count, or none for no limit"),
      .measure("decisions", .integer, "confirmed decisions with a propensity").main,
      .measure("value", .decimal, "the estimated value under this window").estimate
        .main,
      .measure("se", .decimal, "its standard error, by unit").estimate.main,
      .measure("change", .decimal, "value less that under the window of the other tables").estimate
        .main,
      .measure("relative_change", .decimal, "change / value under the window of the other tables")
        .share.main,
      .measure("goals", .integer, "goals that are credited to a decision under this window").main,
      EstimateStatus.column,
    ]

  /// Returns the value of each policy under other attribution windows.
  func windowTable() throws(TableError) -> Table {
    var table = try Table(
      name: "windows", title: "Values under other attribution windows", columns: Self.windowColumns)
    for (window, others) in windows {
      for place in places {
        let own = evaluation(place)
        guard let other = others.first(where: { $0.experiment == own.experiment }) else { continue }
        for index in report.plan.estimators.indices {
          let sums = other.policies[place.policy].estimates[index].sums
          let value = tally(place).estimates[index].sums.value
          let change = sums.value.flatMap { other in value.map { other - $0 } }
          let relative = change.flatMap { change in
            value.flatMap { $0 != 0 ? change / abs($0) : nil }
          }
          try table.append(
            row: cells(place) + [
              .text(estimator(index)), .text(Self.text(window: window)), .integer(sums.count),
              TableCell(sums.value), TableCell(sums.standardError), TableCell(change),
              TableCell(relative), .integer(other.rewards.creditedGoals),
              TableCell(EstimateStatus.text(sums.missingError)),
            ])
        }
      }
    }
    return table
  }

  private static let timeColumns: [TableColumn] =
    keyColumns + [
      estimatorColumn,
      .key("start", .timestamp, "start of the period, in UTC"),
      .measure("end", .timestamp, "end of the period, which does not belong to it"),
      .measure("decisions", .integer, "confirmed decisions with a propensity in the period").main,
      .measure("value", .decimal, "the estimated value from these").estimate.main,
      .measure("se", .decimal, "its standard error, by unit").estimate,
      .measure("ci_low", .decimal, "lower end of its normal interval").estimate.main,
      .measure("ci_high", .decimal, "upper end of its normal interval").estimate.main,
      .measure("effective_sample_size", .decimal, "(sum of weights)^2 / sum of squared weights")
        .count.main, EstimateStatus.column,
    ]

  /// Returns the value of each policy in each period.
  func time() throws(TableError) -> Table {
    var table = try Table(
      name: "time", title: "Values over time", columns: Self.timeColumns)
    for place in places {
      guard let periods = evaluation(place).periods else { continue }
      for (period, tally) in tally(place).periods.sorted(by: { $0.key < $1.key }) {
        for (index, sums) in tally.sums.enumerated() {
          guard let sums else { continue }
          let bias = verdict(place).bias
          let interval = bias == nil ? sums.interval(level: report.level) : nil
          try table.append(
            row: cells(place) + [
              .text(estimator(index)), .timestamp(periods.start(period).description),
              .timestamp(periods.start(period + 1).description),
            ] + Self.cells(sums, interval) + [
              TableCell(tally.effectiveSampleSize),
              TableCell(EstimateStatus.text(sums.missingError, bias: bias)),
            ])
        }
      }
    }
    return table
  }
}
