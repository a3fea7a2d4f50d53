import DecidingCore
import Events
import Testing

@testable import DecidingExperiments

/// The examples of the article "Coming from Kameleoon: flags and targeting".
@Suite("Coming from Kameleoon: flags and targeting")
struct ComingFromKameleoonFlagsTests {
  private func world() throws -> (client: ExperimentClient, world: ManualWorld) {
    let world = ManualWorld()
    let factory = ClientFactory(loader: ManualExperimentLoader(), surroundings: world.surroundings)
    let client = factory.create(siteCode: "a1b2c3")
    let configuration = try ExperimentConfiguration(
      parsing: #"""
        {"siteCode": "a1b2c3",
         "segments": [{"id": "french-phones", "groups": [
           {"conditions": [{"type": "GEOLOCATION", "country": "FR"},
                           {"type": "DEVICE_TYPE", "device": "phone"}],
            "connectives": ["AND"]}]}],
         "flags": [{"id": 12, "key": "new-checkout", "default": "off",
           "variables": [{"key": "columns", "type": "NUMBER", "value": 1},
                         {"key": "title", "type": "STRING", "value": "Checkout"}],
           "variations": [{"key": "off"}, {"key": "one-page"},
                          {"key": "two-columns", "variables": {"columns": 2}}],
           "rules": [
             {"id": 501, "type": "experiment", "experiment": 7001, "exposition": 0.5,
              "targeting": "french-phones",
              "variations": [{"key": "one-page", "deviation": 0.5},
                             {"key": "two-columns", "deviation": 0.5}]},
             {"id": 502, "type": "delivery", "exposition": 0.1, "variations": [{"key": "one-page"}]}]}]}
        """#)
    try client.apply(configuration)
    #expect(client.warnings.isEmpty)
    return (client, world)
  }

  @Test("getting a variation")
  func variation() throws {
    let (client, world) = try world()
    try client.addData(userID: "visitor-1", data: VisitorPlace(country: "FR"), VisitorDevice.phone)
    let variation = try client.variation(of: "new-checkout", for: "visitor-1")
    let isWide = variation.key == "two-columns"
    let columns = try variation.value("columns", as: Int.self)
    #expect(isWide && columns == 2)
    #expect(variation.rule == "501" && variation.experiment == "7001")
    #expect(variation.reason == .hash && variation.propensity == 0.5)
    let early = try client.variation(of: "new-checkout", for: "visitor-2", track: false)
    let shown = try client.variation(of: "new-checkout", for: "visitor-2")
    #expect(early.key == shown.key)
    let statuses = world.events.compactMap { $0.toldDecision?.status }
    #expect(statuses.first == .confirmed)
    if early.isActive {
      #expect(early.status == .provisional && shown.status == .confirmed)
    } else {
      #expect(shown.status == .excluded)
    }
  }

  @Test("whether a feature is active, and all at once")
  func activity() throws {
    let (client, _) = try world()
    try client.setForcedVariation("one-page", in: "new-checkout", for: "visitor-1")
    let isActive = try client.isActive("new-checkout", for: "visitor-1")
    let variations = try client.variations(for: "visitor-1", onlyActive: true, track: false)
    #expect(isActive && variations.map(\.flag) == ["new-checkout"])
    #expect(try !client.isActive("new-checkout", for: "nobody"))
  }

  @Test("reading a variable")
  func variable() throws {
    let (client, _) = try world()
    let title: String = try client.variable("title", of: "new-checkout", for: "visitor-1").read()
    #expect(title == "Checkout")
    #expect(throws: ExperimentError.self) {
      let _: Bool = try client.variable("title", of: "new-checkout", for: "visitor-1").read()
    }
  }

  @Test("forcing and simulating a variation")
  func forced() throws {
    let (client, world) = try world()
    try client.setForcedVariation("two-columns", in: "7001", for: "tester")
    let forced = try client.variation(of: "new-checkout", for: "tester")
    try client.setForcedVariation(nil, in: "7001", for: "tester")
    #expect(forced.key == "two-columns" && forced.reason == .forced)
    #expect(world.events.last?.toldConfiguration?.reason == "unforced")
    let decisions = world.events.count { $0.kind == .decision }
    try client.simulateVariation("two-columns", of: "new-checkout", for: "tester")
    let simulated = try client.variation(of: "new-checkout", for: "tester")
    try client.simulateVariation(nil, of: "new-checkout", for: "tester")
    #expect(simulated.key == "two-columns")
    #expect(world.events.count { $0.kind == .decision } == decisions)
  }

  @Test("consent")
  func consent() throws {
    let (client, world) = try world()
    try client.setConsent(true, for: "visitor-1")
    #expect(client.consent(of: "visitor-1") == true)
    #expect(world.events.last?.toldDatum?.kind == "consent")
  }

  @Test("targeting")
  func targeting() throws {
    let segment = VisitorSegment(
      [
        VisitorSegment.Group(
          [
            SegmentCondition(.custom("3", .exact("gold"))),
            SegmentCondition(.visits(.greater, 5)),
            SegmentCondition(.conversion("83023"), include: false),
          ], joinedBy: [.or, .and])
      ])
    let experiment = Experiment(
      75253, variations: [ExperimentVariation(148382, deviation: 1)], targeting: segment.json)
    let world = try ExperimentsWorld(
      ExperimentConfiguration(siteCode: ExperimentsWorld.site, experiments: [experiment]))
    #expect(throws: ExperimentError.notTargeted(75253)) {
      try world.client.triggerExperiment("visitor-1", 75253)
    }
    try world.client.addData(userID: "visitor-1", data: CustomData(index: 3, value: "gold"))
    #expect(try world.client.triggerExperiment("visitor-1", 75253) == 148382)
  }
}
