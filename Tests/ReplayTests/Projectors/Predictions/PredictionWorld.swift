import Events
import TestSupport

/// Random events of studies and decisions, of few units and names and with many equal times, so that rules meet.
enum PredictionWorld {
  static let day: Int64 = 86_400_000_000

  static func events(_ random: inout SeededGenerator, count: Int = 70) -> [Event] {
    (0..<1 + random.index(count)).map { _ in
      let unit = "u\(random.index(4))"
      let time = Int64(random.index(16)) * day / 4
      let study = ExperimentID("s\(random.index(2))")
      switch random.index(24) {
      case 0..<11:
        return dataPoint(
          time, unit, kind: "optionTaken", key: study.rawValue, value: option(&random))
      case 11, 12:
        return dataPoint(
          time, unit, kind: "optionEncountered", key: study.rawValue,
          value: random.chance(0.3) ? "a" : nil)
      case 13:
        return dataPoint(
          time, unit, kind: random.chance(0.5) ? "optionTaken" : "optionEncountered",
          key: random.chance(0.5) ? nil : "", value: random.chance(0.5) ? "a" : nil)
      case 14, 15:
        return dataPoint(
          time, unit, kind: random.chance(0.5) ? "custom" : "device",
          key: random.chance(0.7) ? "k" : nil, value: knowledge(&random))
      case 16, 17: return configuration(&random, time, random.chance(0.3) ? "" : unit, study)
      case 18..<23: return decision(&random, time, unit, study)
      default:
        return event(
          time, unit,
          .decisionConfirmed(
            DecisionConfirmed(
              experiment: study, point: random.chance(0.2) ? "p" : nil,
              slot: random.chance(0.2) ? "x" : nil)))
      }
    }
  }

  private static func option(_ random: inout SeededGenerator) -> AttributeValue? {
    let values: [AttributeValue?] = [
      "a", "a", "b", "b", "c", "d", true, "true", 1, "1", 2.5, 12_345_678_901_234_567, "", nil,
    ]
    return values[random.index(values.count)]
  }

  private static func knowledge(_ random: inout SeededGenerator) -> AttributeValue? {
    let values: [AttributeValue?] = ["x", "y", true, 3, 0.5, nil]
    return values[random.index(values.count)]
  }

  private static func configuration(
    _ random: inout SeededGenerator, _ time: Int64, _ unit: String, _ study: ExperimentID
  ) -> Event {
    let reasons = [
      "defined", "options-replaced", "option-added", "option-updated", "option-removed", nil,
      "forced",
    ]
    var names = ["a", "b", "c", "e"].shuffled(using: &random)
    names.removeLast(random.index(5))
    let met = random.index(4)
    var options = names.map { name in
      let taken = random.chance(0.95) ? random.index(met + 1) : met + 1
      return """
        {"description":"\(name)","timesEncountered":\(met),"timesTaken":\(taken)}
        """
    }
    if random.chance(0.05) { options.append(#"{"description":"a"}"#) }
    let text: JSONText? =
      random.chance(0.1)
      ? (random.chance(0.7) ? .null : nil)
      : JSONText(validated: "{\"options\":[\(options.joined(separator: ","))]}")
    return event(
      time, unit,
      .configurationApplied(
        ConfigurationApplied(
          system: random.chance(0.9) ? "studies" : "agents",
          experiment: random.chance(0.95) ? study : nil,
          reason: reasons[random.index(reasons.count)],
          configuration: text)))
  }

  private static func decision(
    _ random: inout SeededGenerator, _ time: Int64, _ unit: String, _ experiment: ExperimentID
  ) -> Event {
    let statuses: [EventStatus?] = [nil, nil, .confirmed, .provisional, .repeated, .excluded]
    var decision = Decision(experiment: experiment, variant: VariantID("v\(random.index(4))"))
    if random.chance(0.2) { decision.point = "p" }
    if random.chance(0.2) { decision.slot = random.chance(0.5) ? "x" : "decision-1" }
    decision.status = statuses[random.index(statuses.count)]
    if random.chance(0.5) {
      var choices: [VariantID] = ["v0", "v1", "v2", "v3", "v4"]
      choices.shuffle(using: &random)
      choices.removeLast(random.index(4))
      if !choices.contains(decision.variant) { choices.append(decision.variant) }
      decision.choices = choices
    }
    if random.chance(0.6) {
      var context = Attributes()
      if random.chance(0.6) { context["country"] = random.chance(0.5) ? "US" : "IL" }
      if random.chance(0.6) { context["age"] = .number(Double(random.index(3))) }
      decision.context = context
    }
    if random.chance(0.5) { decision.policy = random.chance(0.5) ? "uniform" : "thompson" }
    return event(time, unit, .decision(decision))
  }
}
