import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: rules of the configuration")
struct ConfigurationRuleTests {
  @Test("KA-1 a factory gives the same client for the same site")
  func sameClient() throws {
    let world = try ExperimentsWorld()
    #expect(world.factory.create(siteCode: "site") === world.client)
    #expect(world.factory.create(siteCode: "other") !== world.client)
  }

  @Test("each site has its own configuration; they share one log")
  func sites() throws {
    let world = try ExperimentsWorld(.halves)
    let other = world.factory.create(siteCode: "other")
    #expect(throws: ExperimentError.sdkNotReady) { try other.triggerExperiment("u", 75253) }
    try other.apply(ExperimentConfiguration(siteCode: "other"))
    #expect(throws: ExperimentError.experimentConfigurationNotFound(75253)) {
      try other.triggerExperiment("u", 75253)
    }
    _ = try world.client.triggerExperiment("u", 75253)
    try world.expectReplays()
    #expect(throws: ExperimentError.self) { try other.apply(.halves) }
  }

  @Test("KA-4 a started client loads at once and every 60 minutes; a failure leaves what is in use")
  func refreshing() async throws {
    let world = try ExperimentsWorld()
    world.loader.answers(.halves)
    world.client.start()
    world.client.start()
    await ExperimentsWorld.eventually { world.time.sleeperCount == 1 }
    #expect(world.client.ready && world.loader.loads == 1)
    #expect(world.events.last?.toldConfiguration?.reason == "loaded")
    world.loader.fails()
    world.time.advance(seconds: 3_599.999_999)
    #expect(world.loader.loads == 1)
    world.time.advance(microseconds: 1)
    await ExperimentsWorld.eventually {
      world.loader.loads == 2 && world.time.sleeperCount == 1
    }
    #expect(world.client.lastRefreshError == .loadFailed("Unreachable()"))
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
    world.loader.answers(.one([0: 1]))
    world.time.advance(seconds: 3_600)
    await ExperimentsWorld.eventually {
      world.loader.loads == 3 && world.time.sleeperCount == 1
    }
    #expect(world.client.lastRefreshError == nil)
    world.client.stop()
    await ExperimentsWorld.eventually { world.time.sleeperCount == 0 }
    #expect(world.events.count == 3 && world.client.ready)
    world.client.stop()
    world.client.start()
    await ExperimentsWorld.eventually { world.loader.loads == 4 }
    world.client.stop()
    try world.expectReplays()
  }

  @Test("KA-4 without an interval the configuration is loaded once")
  func once() async throws {
    let world = try ExperimentsWorld(settings: ExperimentSettings(refreshInterval: nil))
    world.loader.answers(.halves)
    world.client.start()
    #expect(await world.client.runWhenReady(timeout: .seconds(1_000)))
    await ExperimentsWorld.eventually { world.time.sleeperCount == 0 }
    #expect(world.loader.loads == 1)
  }

  @Test("a configuration that is the one in use is not logged again")
  func same() async throws {
    let world = try ExperimentsWorld(.halves)
    #expect(world.events.last?.toldConfiguration?.reason == "set")
    #expect(
      world.events.last?.toldConfiguration?.changed == ["enabled", "experiments", "siteCode"])
    try world.client.apply(.halves)
    world.loader.answers(.halves)
    try await world.client.refresh()
    #expect(world.events.count == 1)
    var other = ExperimentConfiguration.halves
    other.modified = 5
    other.enabled = false
    try world.client.apply(other)
    #expect(world.events.last?.toldConfiguration?.changed == ["enabled", "modified"])
    try world.expectReplays()
  }

  @Test(
    "KA-61 a default serves until one is loaded, unless the log has one that was modified later",
    arguments: [
      (nil, nil, true), (5, nil, false), (5, 4, false), (5, 5, true), (5, 6, true), (nil, 1, true),
    ] as [(Int64?, Int64?, Bool)])
  func standard(logged: Int64?, given: Int64?, serves: Bool) throws {
    var before = ExperimentConfiguration.halves
    before.modified = logged
    var standard = ExperimentConfiguration.one([0: 1])
    standard.modified = given
    let world = try ExperimentsWorld(before)
    let factory = ClientFactory(
      loader: world.loader, surroundings: world.world.surroundings, replaying: world.events)
    let client = factory.create(siteCode: "site", default: standard)
    #expect(try client.triggerExperiment("visitor-1", 75253) == (serves ? .reference : 148382))
    if serves { #expect(world.events[1].toldConfiguration?.reason == "default") }
  }

  @Test("KA-61 a default alone makes a client ready; an invalid one is reported")
  func onlyStandard() throws {
    let world = try ExperimentsWorld()
    let other = ExperimentConfiguration(siteCode: "other")
    #expect(world.factory.create(siteCode: "other", default: other).ready)
    let wrong = world.factory.create(siteCode: "third", default: other)
    #expect(!wrong.ready && wrong.lastRefreshError != nil)
  }

  @Test("a configuration survives a round trip through JSON")
  func roundTrip() throws {
    let text = #"""
      {"enabled":true,"experiments":[{"goal":"7","id":"75253","kind":"personalization","name":"x",
      "policy":"epsilon-greedy:epsilon=0.1","targeting":{"groups":[]},"variations":[{"deviation":0.25,
      "id":"reference"},{"deviation":0.5,"id":"148382","respool":1600000000}]}],"modified":12,
      "siteCode":"abc","unknown":{"a":[1,null]}}
      """#.replacing("\n", with: "")
    let configuration = try ExperimentConfiguration(parsing: text)
    #expect(configuration.json.description == text)
    #expect(try ExperimentConfiguration(configuration.json) == configuration)
    let decoded = try JSONValue(encoding: configuration).decoded(as: ExperimentConfiguration.self)
    #expect(decoded == configuration)
    #expect(configuration.experiments[0].other == ["name": "x"])
  }

  static let mistakes: [(String, String, String)] = [
    ("[]", "", "object"), ("{", "", "no JSON"), ("{}", "siteCode", "missing"),
    (#"{"siteCode":1}"#, "siteCode", "a text"), (#"{"siteCode":""}"#, "siteCode", "empty"),
    (#"{"siteCode":"a","enabled":1}"#, "enabled", "true or false"),
    (#"{"siteCode":"a","modified":1.5}"#, "modified", "whole number"),
    (#"{"siteCode":"a","experiments":{}}"#, "experiments", "a list"),
    (#"{"siteCode":"a","experiments":[1]}"#, "experiments[0]", "an object"),
    (#"{"siteCode":"a","experiments":[{}]}"#, "experiments[0].id", "missing"),
    (#"{"siteCode":"a","experiments":[{"id":""}]}"#, "experiments[0].id", "empty"),
    (#"{"siteCode":"a","experiments":[{"id":1.5}]}"#, "experiments[0].id", "an id"),
    (#"{"siteCode":"a","experiments":[{"id":1},{"id":"1"}]}"#, "experiments[1].id", "second time"),
    (#"{"siteCode":"a","experiments":[{"id":1,"kind":"x"}]}"#, "experiments[0].kind", "must be"),
    (
      #"{"siteCode":"a","experiments":[{"id":1,"variations":[{"id":1}]}]}"#,
      "experiments[0].variations[0].deviation", "missing"
    ),
    (
      #"{"siteCode":"a","experiments":[{"id":1,"variations":[{"id":1,"deviation":"1"}]}]}"#,
      "experiments[0].variations[0].deviation", "a number"
    ),
    (
      #"{"siteCode":"a","experiments":[{"id":1,"variations":[{"id":1,"deviation":-0.1}]}]}"#,
      "experiments[0].variations[0].deviation", "0 ... 1"
    ),
    (
      #"{"siteCode":"a","experiments":[{"id":1,"variations":[{"id":0,"deviation":0.1},"#
        + #"{"id":"reference","deviation":0}]}]}"#,
      "experiments[0].variations[1].id", "second time"
    ),
    (
      #"{"siteCode":"a","experiments":[{"id":1,"variations":[{"id":1,"deviation":1.00000001}]}]}"#,
      "experiments[0].variations", "more than 1"
    ),
    (
      #"{"siteCode":"a","experiments":[{"id":1,"variations":[{"id":1,"deviation":1,"respool":"x"}]}]}"#,
      "experiments[0].variations[0].respool", "whole number"
    ),
    (
      #"{"siteCode":"a","experiments":[{"id":1,"policy":"greedy"}]}"#, "experiments[0].goal",
      "missing"
    ),
    (
      #"{"siteCode":"a","experiments":[{"id":1,"policy":"magic","goal":1}]}"#,
      "experiments[0].policy", "unknown policy"
    ),
  ]

  @Test(
    "KA-64 a mistake refuses the whole configuration and is named by its path", arguments: mistakes)
  func refused(text: String, path: String, reason: String) throws {
    let error = try #require(throws: ExperimentError.self) {
      try ExperimentConfiguration(parsing: text)
    }
    guard case .invalidConfiguration(let told, let why) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(told == path && why.contains(reason), "\(error)")
    #expect(error.description.contains("the configuration in use stays"))
  }

  @Test(
    "KA-64 deviations may add up to 1 and a rounding, are finite, and an applied mistake changes nothing"
  )
  func applied() throws {
    let world = try ExperimentsWorld(.halves)
    try world.client.apply(.one([1: 0.5, 2: 0.5 + 9e-10]))
    let count = world.events.count
    for deviation in [Double.nan, .infinity, -1, 2] {
      #expect(throws: ExperimentError.self) { try world.client.apply(.one([1: deviation])) }
    }
    #expect(world.events.count == count)
  }

  @Test("every error says what is wrong and how to fix it")
  func errors() {
    let errors: [ExperimentError] = [
      .sdkNotReady, .visitorCodeInvalid(""), .experimentConfigurationNotFound(1),
      .siteCodeDisabled("s"), .notTargeted(1), .notAllocated(1), .consentRequired,
      .featureNotFound("f"), .featureDisabled("f"), .variationNotFound("v"),
      .variableNotFound("x"), .variableTypeMismatch("x is a text"),
      .invalidConfiguration(path: "a.b", reason: "is wrong"), .invalidRevenue(.nan),
      .loadFailed("x"), .notRecorded("x"), .invalidSnapshot("x; replay the log instead"),
    ]
    for error in errors {
      #expect(error.description.count > 30, "\(error)")
      #expect(error.description.contains { $0 == ";" || $0 == ":" }, "\(error)")
    }
    #expect(Set(errors.map(\.description)).count == errors.count)
  }

  @Test("G-12 snapshots of another system or version, or incomplete ones, are rejected")
  func snapshots() throws {
    let world = try ExperimentsWorld(.halves)
    let snapshot = world.client.snapshot()
    #expect(snapshot.hasPrefix(#"{"position":1,"state":{"#))
    #expect(snapshot.hasSuffix(#""system":"experiments","version":1}"#))
    let wrong = [
      "", "{}", snapshot.replacing(#""version":1"#, with: #""version":2"#),
      snapshot.replacing(#""system":"experiments""#, with: #""system":"agents""#),
      snapshot.replacing(#""deviation":0.5"#, with: #""deviation":0.6"#),
    ]
    for text in wrong {
      #expect(throws: ExperimentError.self) {
        try ClientFactory(
          loader: world.loader, surroundings: world.world.surroundings, restoring: text)
      }
    }
  }
}
