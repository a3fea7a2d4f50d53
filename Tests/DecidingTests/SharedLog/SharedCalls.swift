import Deciding
import Events
import Prediction
import TestSupport

/// Random calls of each system. All of them speak of the same units, experiments, goals and data, so that whoever
/// reads the events of another is found out.
enum SharedCalls {
  static let units = ["u1", "u2", ""]
  static let names = ["a", "b", "c"]
  static let variants = ["on", "off", "x"]

  static func rollouts(_ random: inout SeededGenerator) -> RolloutConfiguration {
    RolloutConfiguration(
      names.map { name in
        RolloutExperiment(
          ExperimentID(name),
          variants: variants.map { .init(VariantID($0), weight: Double(random.index(3))) },
          isSticky: random.chance(0.7))
      })
  }

  static func experiments(_ random: inout SeededGenerator) -> ExperimentConfiguration {
    let experiments = names.map { name in
      Experiment(
        ExperimentID(name),
        variations: variants.map { ExperimentVariation(VariantID($0), deviation: 0.3) },
        policy: random.chance(0.5) ? "epsilon-greedy:epsilon=0.3" : nil,
        goal: random.chance(0.7) ? "g" : nil)
    }
    return ExperimentConfiguration(siteCode: SharedSystem.site, experiments: experiments)
  }

  static func settings(_ random: inout SeededGenerator) throws -> ConfigurationState {
    let sections: JSONValue = [
      "S": ["settings": ["a": ["value": .integer(Int64(random.index(9)))]]]
    ]
    let meta: JSONValue = ["group": .string(random.pick(variants, or: ""))]
    return try ConfigurationState(
      json: ["meta": meta, "config_sections": sections], at: Timestamp(microseconds: 0))
  }

  /// Events that no system wrote, as imported ones.
  static func imported(_ random: inout SeededGenerator, at time: Timestamp) -> Event {
    let (name, variant) = (random.pick(names, or: ""), VariantID(random.pick(variants, or: "")))
    let experiment = ExperimentID(name)
    let payload: Payload =
      switch random.index(7) {
      case 0: .decision(Decision(experiment: experiment, variant: variant, reason: "hash"))
      case 1: .decision(Decision(experiment: experiment, variant: variant, policy: "weights"))
      case 2:
        .decision(
          Decision(
            experiment: experiment, slot: "s", variant: variant, propensity: 0.5, reason: "random"))
      case 3:
        .goal(
          Goal(experiment: experiment, slot: random.chance(0.5) ? "s" : nil, goal: "g", value: 2))
      case 4: .conversion(Conversion(goal: "g", revenue: 1))
      case 5: .dataPoint(DataPoint(kind: "custom", key: name, value: .text(variant.rawValue)))
      default: .dataPoint(DataPoint(kind: "optionTaken", key: name, value: .text(variant.rawValue)))
      }
    return Event(time: time, unit: UnitID(random.pick(["u1", "u2"], or: "")), payload: payload)
  }
}

extension SharedSystem {
  /// Makes one random call and says what was answered, or what was wrong.
  func call(_ random: inout SeededGenerator) -> String {
    do {
      switch live {
      case .agents(let system): return try call(system, &random)
      case .experiments(let factory):
        return try call(factory.create(siteCode: Self.site), &random)
      case .rollouts(let system): return try call(system, &random)
      case .config(let system): return try call(system, &random)
      case .studies(let system): return try call(system, &random)
      }
    } catch {
      return "\(error)"
    }
  }

  private func call(_ agents: Agents, _ random: inout SeededGenerator) throws -> String {
    let agent = random.pick(SharedCalls.names, or: "a")
    let session = random.pick(["u1", "u2", "u3"], or: "u1")
    switch random.index(10) {
    case 0:
      var definition = AgentDefinition(agent)
      definition.policy = random.pick(["greedy", "exp3:gamma=0.3"], or: "greedy")
      definition.credit = random.chance(0.5) ? .last : .all
      try agents.define(definition)
    case 1: try agents.force("on", for: session, in: agent)
    case 2: try agents.expire(session: session, agent: agent)
    case 3...5:
      return
        "\(try agents.goal(GoalRequest(agent: random.chance(0.3) ? nil : agent, session: session, goal: "g", reward: 0.5)))"
    default:
      let slots = ["decision-1", "s"].prefix(1 + random.index(2)).map {
        SlotChoices(slot: $0, choices: SharedCalls.variants)
      }
      return "\(try agents.decide(DecisionRequest(agent: agent, session: session, slots: slots)))"
    }
    return ""
  }

  private func call(_ client: ExperimentClient, _ random: inout SeededGenerator) throws -> String {
    let user = random.pick(SharedCalls.units, or: "u1")
    let experiment = ExperimentID(random.pick(SharedCalls.names, or: "a"))
    switch random.index(10) {
    case 0: try client.apply(SharedCalls.experiments(&random))
    case 1: try client.force("x", for: user, in: experiment)
    case 2: try client.unforce(for: user, in: experiment)
    case 3...5 where !client.ready: return "not ready"
    case 3, 4:
      // What waits in the buffer is not in the log, so it is sent with what comes right behind it.
      try client.addData(
        userID: user,
        data: CustomData(index: random.index(3), value: random.pick(["gold", "lead"], or: "")))
      return "\(try client.triggerExperiment(user, experiment))"
    case 5:
      try client.addData(userID: user, data: Conversion(goalID: "g", revenue: 1))
      return "\(try client.triggerExperiment(user, experiment))"
    case 6: return String(describing: client.visit(of: user))
    default: return "\(try client.triggerExperiment(user, experiment))"
    }
    return ""
  }

  private func call(_ rollouts: Rollouts, _ random: inout SeededGenerator) throws -> String {
    let experiment = random.pick(SharedCalls.names, or: "a")
    switch random.index(8) {
    case 0: try rollouts.setup(SharedCalls.rollouts(&random))
    case 1: rollouts.removeExperimentDraw(experiment)
    case 2: try rollouts.force("x", in: experiment)
    case 3: try rollouts.unforce(in: experiment)
    default: return "\(rollouts.result(experiment: experiment, default: "off"))"
    }
    return ""
  }

  private func call(_ config: ActiveConfig, _ random: inout SeededGenerator) throws -> String {
    switch random.index(5) {
    case 0: config.setUser(random.pick(SharedCalls.units, or: ""))
    case 1: try config.removeStored(user: random.pick(SharedCalls.units, or: ""))
    case 2:
      try config.exposures(
        experiment: ExperimentID(random.pick(SharedCalls.names, or: "a")), metaKey: "group")
    case 3: return "\(config.configuration.json) \(config.history(user: Self.unit).count)"
    default: try config.set(SharedCalls.settings(&random))
    }
    return ""
  }

  private func call(_ studies: Studies, _ random: inout SeededGenerator) throws -> String {
    let study = random.pick(SharedCalls.names, or: "a")
    let option = random.pick(SharedCalls.variants, or: "on")
    switch random.index(9) {
    case 0:
      try studies.define(
        Study(
          description: study, optionDescriptions: SharedCalls.variants,
          predictor: SharedWorld.predictor))
    case 1: try studies.force(option, in: study)
    case 2:
      try studies.recordDataPoint(kind: "custom", key: study, value: .text(option))
    case 3: try studies.recordEncounter(in: study)
    case 4...6: try studies.recordOptionTaken(StudyOption(description: option), in: study)
    default: return "\(try studies.rankedPredictions(in: study))"
    }
    return ""
  }
}
