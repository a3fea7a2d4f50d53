import Events
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import Replay

@Suite("Streams of adaptive policies")
struct AdaptiveTests {
  // MARK: Rules

  @Test(
    "decisions are in order, with their rewards and probabilities")
  func byHand() throws {
    // Written late first; the weights of a are 0, 1/2, 1/3 and 0, those of b 0, 1/2, 1/2 and 3/8.
    let events = [
      made(30, "w", "a", ["c": 0.5, "a": 0.25, "b": 0.25 * 0.25, "d": 0.1875]), goal(31, "w", 4),
      made(10, "u", "a", ["a": 0.25, "b": 0.25, "c": 0.5]), goal(11, "u", 1.5),
      goal(90, "u", 0.5),
      made(20, "v", "b", ["a": 0.0625, "b": 0.25, "c": 0.6875]), goal(21, "v", 1),
      made(40, "x", "b", ["b": 1]), goal(40, "x", 3),
    ]
    for form in ReplayForm.all {
      let log = try WorldLog(events, perFrame: form.perFrame)
      let streams = try form.replay(log).adaptiveStreams(UnitSelection())
      let stream = try #require(streams.streams.first)
      #expect(stream.decisions == 4 && streams.streams.count == 1)
      let names = stream.variants.map { log.variant($0.code) }
      let (a, b) = try (
        #require(names.firstIndex(of: "a")), #require(names.firstIndex(of: "b"))
      )
      let estimates = try #require(
        try streams.estimates(of: stream, .constantAllocation, baseline: a))
      expectClose(estimates[a].mean.estimate, 5.2)
      expectClose(estimates[a].mean.standardError, 5.12.squareRoot() * 1.2)
      #expect(estimates[a].contrast == nil)
      expectClose(estimates[b].mean.estimate, 3.625 / 1.375)
      expectClose(estimates[b].mean.standardError, 139.5.squareRoot() / 11 / 1.375)
      // Without the last decision, which could not choose a.
      let difference = estimates[b].contrast?.difference()
      expectClose(difference?.estimate, -2.7)
      expectClose(difference?.standardError, 14.2578.squareRoot())
      #expect(estimates[b].contrast?.unavailable == 1 && estimates[a].mean.unavailable == 1)
    }
  }

  @Test("a provisional decision keeps its probabilities when it is moved to its confirmation")
  func provisional() throws {
    let confirmed = event(5, "u", .decisionConfirmed(DecisionConfirmed(experiment: "e")))
    let events = [
      made(1, "u", "a", ["a": 0.25, "b": 0.75], .provisional),
      made(2, "u", "b", ["a": 0.5, "b": 0.5], .repeated),
      made(3, "v", "b", ["a": 0.5, "b": 0.5]), confirmed,
      made(6, "w", "a", nil, .provisional), made(7, "w", "a", nil, .excluded),
    ]
    let log = try WorldLog(events)
    let streams = try LogReplay(log.reader).adaptiveStreams(UnitSelection())
    let stream = try #require(streams.streams.first)
    #expect(stream.decisions == 2 && stream.withoutProbabilities == 0)
    let code = try #require(log.names.code(of: "a", in: .variants))
    let a = try #require(stream.variants.firstIndex { $0.code == code })
    var mean = AdaptivelyWeightedMean()
    mean.add(0, isChosen: false, probability: 0.5)
    mean.add(0, isChosen: true, probability: 0.25)
    #expect(try streams.estimates(of: stream, .constantAllocation)?[a].mean == mean)
    #expect(streams.ledger.repeatedDecisions == 1 && streams.ledger.unconfirmedDecisions == 1)
  }

  @Test("a stream with a decision whose probabilities are missing or wrong has no estimate")
  func missing() throws {
    var bare = Decision(experiment: "e", variant: "a", propensity: 0.5)
    let half = ["a": 0.5, "b": 0.5]
    var lacking = [event(1, "u", .decision(bare))]
    bare.choices = ["a", "b"]
    lacking.append(event(1, "u", .decision(bare)))
    for event in lacking {
      let streams = try self.streams([event, made(2, "v", "b", half)])
      #expect(streams.streams.map(\.withoutProbabilities) == [1])
      #expect(try streams.estimates(of: streams.streams[0], .uniform) == nil)
    }
    for wrong in [["a": 0.5, "b": 0.4], ["a": 1.5, "b": -0.5], ["a": 0, "b": 1], ["b": 1]] {
      let streams = try self.streams([made(1, "u", "a", wrong), made(2, "v", "b", half)])
      #expect(streams.streams.map(\.withWrongProbabilities) == [1], "\(wrong)")
      #expect(streams.streams.map(\.withoutProbabilities) == [0], "\(wrong)")
      #expect(try streams.estimates(of: streams.streams[0], .uniform) == nil)
    }
    #expect(try streams([]).streams.isEmpty)
  }

  @Test(
    "each place and value of the dimension has its own stream; excluded decisions need no probabilities"
  )
  func selection() throws {
    let half = ["a": 0.5, "b": 0.5]
    let events = [
      made(1, "u", "a", half, point: "p", policy: "x"), made(2, "v", "b", half, point: "p"),
      made(3, "w", "b", half, point: "p", policy: "x"), made(3, "u", "b", half),
      decision(4, "u", "a", point: "p", reason: "forced"),
    ]
    let log = try WorldLog(events)
    var selection = UnitSelection()
    selection.leftOutReasons = [try #require(log.names.code(of: "forced", in: .reasons))]
    let whole = try LogReplay(log.reader).adaptiveStreams(selection)
    #expect(whole.streams.map(\.decisions).sorted() == [1, 3])
    #expect(whole.streams.allSatisfy { $0.withoutProbabilities == 0 })
    selection.dimension = .policy
    let split = try LogReplay(log.reader).adaptiveStreams(selection).streams
    #expect(split.map(\.decisions).sorted() == [1, 1, 2])
    #expect(split.first { $0.value == .text("x") }?.decisions == 2)
  }

  // MARK: Against a naive model

  @Test(
    "agrees with a naive model on random logs, on any number of threads",
    arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: 8_000 + seed)
    let worlds = SmallWorld.worlds(4, &random)
    let events = SmallWorld.withProbabilities(worlds, &random)
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let streams = try form.replay(log).adaptiveStreams(UnitSelection())
    let naive = NaiveAdaptive.places(events)
    #expect(streams.streams.count == naive.count)
    let weighting: AdaptiveWeighting =
      [.uniform, .constantAllocation, .twoPoint(horizon: 20)][Int(seed) % 3]
    for stream in streams.streams {
      let context: Comment = "seed \(8_000 + seed), \(form), \(stream.place)"
      let theirs = try #require(naive[log.name(stream.place)], context)
      #expect(stream.decisions == theirs.decisions.count, context)
      #expect(stream.withoutProbabilities == theirs.missing, context)
      #expect(stream.withWrongProbabilities == theirs.wrong, context)
      let names = stream.variants.map { log.variant($0.code) }
      #expect(Set(names) == Set(theirs.variants) && names.count == theirs.variants.count, context)
      let baseline = try #require(names.indices.min { names[$0] < names[$1] })
      let found = try streams.estimates(of: stream, weighting, baseline: baseline)
      let expected = theirs.estimates(names, weighting, baseline: names[baseline])
      #expect(found == expected, context)
    }
  }

  @Test("projectors that share a replay do not receive probabilities", arguments: 0..<20)
  func shared(seed: UInt64) throws {
    var random = SeededGenerator(seed: 9_000 + seed)
    let world = SmallWorld.events(&random)
    let events = SmallWorld.withProbabilities(world, &random)
    let log = try WorldLog(events, perFrame: 3)
    let replay = LogReplay(log.reader, jobs: 2)
    let (health, rewards) = (HealthProjector(), RewardProjector(Attribution(rule: .all)))
    let visits = VisitProjector(inactivity: 2)
    let alone = try replay.run(UnitSelection(), units: health, rewards, visits)
    let shared = try replay.run(
      UnitSelection(),
      units: CreditedDecisionProjector(Attribution(), .probabilities, grouped: true), health,
      rewards, visits)
    #expect(shared.1 == alone.0 && shared.2 == alone.1 && shared.3 == alone.2, "\(9_000 + seed)")
  }

  // MARK: What it is for

  @Test(
    "under a policy that learned, plain means of equal variants are biased low and intervals still cover"
  )
  func coverage() throws {
    var random = SeededGenerator(seed: 5)
    var events: [Event] = []
    for run in 0..<150 {
      var (sums, counts) = ([0.0, 0.0], [0.0, 0.0])
      for t in 0..<100 {
        // More and more to the variant that is ahead, but never less than a tenth.
        let lead = sums[0] / (counts[0] + 1) - sums[1] / (counts[1] + 1)
        let p = min(max(0.5 + lead * Double(t) / 20, 0.1), 0.9)
        let arm = random.chance(p) ? 0 : 1
        let reward = random.chance(0.5) ? 1.0 : 0
        sums[arm] += reward
        counts[arm] += 1
        let (unit, time) = ("\(run)-\(t)", Int64(t) * 10)
        let experiment = ExperimentID("e\(run)")
        events.append(
          made(time, unit, ["a", "b"][arm], ["a": p, "b": 1 - p], experiment: experiment))
        if reward > 0 { events.append(goal(time + 1, unit, 1, experiment: experiment)) }
      }
    }
    let log = try WorldLog(events)
    let streams = try LogReplay(log.reader).adaptiveStreams(UnitSelection())
    var (plain, weighted, covered, missed) = (Moments(), Moments(), 0, 0)
    for stream in streams.streams {
      let estimates = try #require(try streams.estimates(of: stream, .constantAllocation))
      for (variant, estimate) in zip(stream.variants, estimates) {
        plain.add((variant.rewards.mean ?? 0) - 0.5)
        weighted.add((estimate.mean.estimate ?? 0) - 0.5)
        guard let interval = estimate.mean.interval() else { continue }
        if interval.contains(0.5) { covered += 1 } else { missed += 1 }
      }
    }
    #expect((plain.mean ?? 0) < -3 * (plain.standardError ?? 0))
    #expect(abs(weighted.mean ?? 1) < abs(plain.mean ?? 0))
    // 95 % of those with an interval; where few decisions chose a variant it has none.
    #expect(covered >= 200 && missed < 24, "\(covered), \(missed)")
  }

  // MARK: Helpers

  private func streams(_ events: [Event]) throws -> AdaptiveStreams {
    try LogReplay(WorldLog(events).reader, jobs: 2).adaptiveStreams(UnitSelection())
  }

  private func expectClose(_ found: Double?, _ expected: Double) {
    #expect(abs((found ?? .nan) - expected) < 1e-9, "\(found ?? .nan) is not \(expected)")
  }

  private func made(
    _ time: Int64, _ unit: String, _ variant: String, _ probabilities: [String: Double]?,
    _ status: EventStatus? = nil, experiment: ExperimentID = "e", point: PointID? = nil,
    policy: PolicyID? = nil
  ) -> Event {
    let choices = probabilities.map { $0.keys.sorted() }
    return event(
      time, unit,
      .decision(
        Decision(
          experiment: experiment, point: point, variant: VariantID(variant),
          choices: choices?.map { VariantID($0) },
          probabilities: choices.map { $0.compactMap { probabilities?[$0] } }, policy: policy,
          status: status)))
  }
}
