internal import Bandits
internal import Events

/// An outcome as a line of JSON that preserves every bit of it.
enum OutcomeLine {
  static func json(_ outcome: RunOutcome, pair: Int, run: Int) -> JSONValue {
    .object([
      "pair": .integer(Int64(pair)), "run": .integer(Int64(run)),
      "points": .array(outcome.points.map(json)),
      "choices": .array(outcome.choices.map { .integer(Int64($0)) }),
      "regret_by_variant": .array(outcome.regretByVariant.map(json)),
      "recommendation": .integer(Int64(outcome.recommendation)),
      "stopped": outcome.stopped.map { .integer(Int64($0)) } ?? .null,
    ])
  }

  private static func json(_ point: RunOutcome.Point) -> JSONValue {
    .array([
      json(point.regret), json(point.realizedRegret), json(point.fixedRegret), json(point.reward),
      .integer(Int64(point.bestChoices)), json(point.simpleRegret),
    ])
  }

  /// Infinities, NaN and negative zero as texts: JSON lacks the former, and its readers may drop the sign of the
  /// latter.
  private static func json(_ number: Double) -> JSONValue {
    let isPlain = number.isFinite && !(number == 0 && number.sign == .minus)
    return isPlain ? .number(number) : .string("\(number)")
  }

  /// Parses a line; nil if it is not an outcome with the given number of checkpoints.
  static func read(
    _ line: JSONValue, steps: Int
  ) -> (outcome: RunOutcome, pair: Int, run: Int)? {
    guard let pair = count(line["pair"]), let run = count(line["run"]),
      let points = line["points"]?.array?.compactMap(point), points.count == steps,
      let choices = line["choices"]?.array?.compactMap(count), !choices.isEmpty,
      let regrets = line["regret_by_variant"]?.array?.compactMap(number),
      regrets.count == choices.count,
      let recommendation = count(line["recommendation"]), recommendation < choices.count,
      let stopped = line["stopped"]
    else { return nil }
    let outcome = RunOutcome(
      points: points, choices: choices, regretByVariant: regrets, recommendation: recommendation,
      stopped: count(stopped))
    return (outcome, pair, run)
  }

  private static func point(_ value: JSONValue) -> RunOutcome.Point? {
    guard let parts = value.array, parts.count == 6, let best = count(parts[4]) else { return nil }
    let numbers = [parts[0], parts[1], parts[2], parts[3], parts[5]].compactMap(number)
    guard numbers.count == 5 else { return nil }
    var point = RunOutcome.Point()
    point.regret = numbers[0]
    point.realizedRegret = numbers[1]
    point.fixedRegret = numbers[2]
    point.reward = numbers[3]
    point.bestChoices = best
    point.simpleRegret = numbers[4]
    return point
  }

  private static func number(_ value: JSONValue) -> Double? {
    value.number
      ?? value.string.flatMap {
        ["inf", "-inf", "nan", "-nan", "-0.0"].contains($0) ? Double($0) : nil
      }
  }

  private static func count(_ value: JSONValue?) -> Int? {
    guard let number = value?.integer.flatMap({ Int(exactly: $0) }), number >= 0 else { return nil }
    return number
  }
}
