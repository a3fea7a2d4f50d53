import Deciding
import EventLog
import Events
import Statistics

/// The cost of a decision: in memory with a sink that only counts, and with a log whose commits many tasks share.
struct DecideSteps {
  let folder: String
  /// The number of decisions of each step.
  let decisions: Int

  func steps() throws -> [Step] {
    [
      agent("decide, agent, uniform, new session", weights: nil, isNew: true),
      agent("decide, agent, weights, new session", weights: [0.2, 0.3, 0.5], isNew: true),
      agent("decide, agent, weights, sticky", weights: [0.2, 0.3, 0.5], isNew: false),
      agent(
        "decide, agent, weights, drawn anew", weights: [0.2, 0.3, 0.5], isNew: false,
        isSticky: false),
      rollout("decide, rollout, new unit"), try experiment("decide, experiment, new unit"),
      logged("decide, agent, log, committed every 1,000"),
      shared("decide, agent, log, each waits for the disk, 1,000 tasks", tasks: 1_000),
    ]
  }

  private static let time = Timestamp(microseconds: 1_767_225_600_000_000)

  private func surroundings(_ sink: any EventSink) -> Surroundings {
    Surroundings(
      time: StandingTime(now: Self.time), random: Xoshiro256(seed: 1), ids: RandomIDs(seed: 1),
      locale: UserLocale(languages: ["en"], region: "GB"), sink: sink)
  }

  private func agents(
    _ sink: any EventSink, weights: [Double]?, isSticky: Bool = true
  ) throws -> Agents {
    let agents = Agents(owner: "bench", surroundings: surroundings(sink))
    if let weights {
      let options = zip(["a", "b", "c"], weights).map { AgentOption($0, weight: $1) }
      var definition = AgentDefinition("checkout")
      definition.points = [AgentPoint(slots: [AgentSlot(choices: options)])]
      definition.isSticky = isSticky
      try agents.define(definition)
    }
    return agents
  }

  private static func request(_ session: String) -> DecisionRequest {
    DecisionRequest(
      agent: "checkout", session: session, slots: [SlotChoices(choices: ["a", "b", "c"])])
  }

  private func agent(_ name: String, weights: [Double]?, isNew: Bool, isSticky: Bool = true)
    -> Step
  {
    Step(name: name, events: decisions) {
      let agents = try agents(ForgetfulSink(), weights: weights, isSticky: isSticky)
      let requests = (0..<(isNew ? decisions : 1_000)).map { Self.request("s-\($0)") }
      if !isNew { for request in requests { _ = try agents.decide(request) } }
      return try Measurement {
        for index in 0..<decisions { _ = try agents.decide(requests[index % requests.count]) }
      }
    }
  }

  /// A rollout serves one installation; each decision is the first one of an installation.
  private func rollout(_ name: String) -> Step {
    Step(name: name, events: decisions) {
      let configuration = try RolloutConfiguration(
        json: ["search": ["Variants": ["on": 30, "off": 70]]])
      let surroundings = surroundings(ForgetfulSink())
      let count = min(decisions, 20_000)
      var seconds = 0.0
      var cpuSeconds = 0.0
      for _ in 0..<max(1, decisions / count) {
        let rollouts = try (0..<count).map { number in
          let rollouts = Rollouts(unit: "u-\(number)", surroundings: surroundings)
          try rollouts.setup(configuration)
          return rollouts
        }
        let part = Measurement {
          for rollout in rollouts { _ = rollout.variant(experiment: "search", default: "off") }
        }
        seconds += part.seconds
        cpuSeconds += part.cpuSeconds
      }
      return Measurement(seconds: seconds, cpuSeconds: cpuSeconds)
    }
  }

  private func experiment(_ name: String) throws -> Step {
    let configuration = try ExperimentConfiguration([
      "siteCode": "shop",
      "experiments": [
        [
          "id": 75253,
          "variations": [
            ["id": 0, "deviation": 0.4], ["id": 148382, "deviation": 0.3],
            ["id": 187791, "deviation": 0.3],
          ],
        ]
      ],
    ])
    return Step(name: name, events: decisions) {
      let factory = ClientFactory(
        loader: NoLoader(), surroundings: surroundings(ForgetfulSink()))
      let client = factory.create(siteCode: "shop")
      try client.apply(configuration)
      let users = (0..<decisions).map { "u-\($0)" }
      return try Measurement {
        for user in users { _ = try client.triggerExperiment(user, 75253) }
      }
    }
  }

  private func logged(_ name: String) -> Step {
    let path = folder + "/decided.log"
    return Step(name: name, events: decisions, prepare: { WorkFolder.remove(path) }) {
      let writer = try LogWriter(path, options: LogOptions(seed: 1))
      let agents = try agents(writer, weights: [0.2, 0.3, 0.5])
      let requests = (0..<decisions).map { Self.request("s-\($0)") }
      return try Measurement {
        for (index, request) in requests.enumerated() {
          _ = try agents.decide(request)
          if index % 1_000 == 999 { try writer.commit() }
        }
        try writer.commit()
      }
    }
  }

  private func shared(_ name: String, tasks: Int) -> Step {
    let path = folder + "/decided.log"
    let count = max(1, decisions / tasks)
    return Step(name: name, events: count * tasks, prepare: { WorkFolder.remove(path) }) {
      let writer = try LogWriter(path, options: LogOptions(seed: 1))
      let agents = try agents(writer, weights: [0.2, 0.3, 0.5])
      return try Measurement {
        try waiting {
          try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
              group.addTask {
                for number in 0..<count {
                  _ = try agents.decide(Self.request("s-\(task)-\(number)"))
                  try await agents.flush()
                }
              }
            }
            try await group.waitForAll()
          }
        }
      }
    }
  }
}

/// A sink that discards events, so that only the decision is measured.
private struct ForgetfulSink: EventSink {
  func append(_ events: [Event]) -> Range<UInt64> { 0..<UInt64(events.count) }
  func flush() async {}
}

private struct StandingTime: TimeSource {
  let now: Timestamp
  func sleep(for duration: Duration) async throws {}
}

private struct NoLoader: ExperimentLoader {
  func load(siteCode: String) async throws -> ExperimentConfiguration {
    throw ExperimentError.loadFailed("nothing to load")
  }
}
