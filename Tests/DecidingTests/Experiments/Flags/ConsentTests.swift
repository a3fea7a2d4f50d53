import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: consent")
struct ConsentTests {
  private static let site = #"""
    "experiments":[
      {"id":1,"variations":[{"id":10,"deviation":1}]},
      {"id":2,"kind":"personalization","variations":[{"id":20,"deviation":1}]}]
    """#

  private func world(_ consent: String) throws -> ExperimentsWorld {
    try ExperimentsWorld(
      ExperimentConfiguration.flags(ruleFlag, Self.site, #""consent":"\#(consent)""#))
  }

  @Test("KA-58: partial blocking gives the defaults and appends nothing")
  func partial() async throws {
    let world = try world("partial")
    let client = world.client
    try client.addData(userID: "visitor-1", data: VisitorInterest(1))
    let answer = try client.variation(of: "checkout", for: "visitor-1")
    #expect(answer.key == "off" && answer.reason == .noConsent && answer.status == .excluded)
    #expect(try client.triggerExperiment("visitor-1", 1) == .reference)
    try client.setForcedVariation("control", in: "checkout", for: "visitor-1")
    #expect(try client.variation(of: "checkout", for: "visitor-1").key == "control")
    try client.setForcedVariation(nil, in: "checkout", for: "visitor-1")
    #expect(world.told.isEmpty)
    #expect(client.visit(of: "visitor-1") == nil)
    try world.expectReplay("checkout", for: ["visitor-1", "1267576"])
  }

  @Test("KA-58: complete blocking throws and appends nothing")
  func complete() throws {
    let world = try world("complete")
    #expect(throws: ExperimentError.consentRequired) {
      try world.client.variation(of: "checkout", for: "visitor-1")
    }
    #expect(throws: ExperimentError.consentRequired) {
      try world.client.triggerExperiment("visitor-1", 1)
    }
    #expect(throws: ExperimentError.consentRequired) {
      try world.client.variations(for: "visitor-1")
    }
    try world.client.setConsent(false, for: "visitor-1")
    #expect(throws: ExperimentError.consentRequired) {
      try world.client.isActive("checkout", for: "visitor-1")
    }
    #expect(world.summary == ["consent"])
  }

  @Test("KA-58: conversions and targeted deliveries go on", arguments: ["partial", "complete"])
  func goesOn(consent: String) async throws {
    let world = try world(consent)
    try await world.client.trackConversion(userID: "1267576", goalID: "4")
    #expect(try world.client.variation(of: "checkout", for: "1267576").key == "later")
    #expect(try world.client.triggerExperiment("1267576", 2) == 20)
    #expect(
      world.summary == [
        "conversion 4", "activity", "confirmed later delivered", "confirmed 20 hash",
      ])
  }

  @Test("KA-58: consent is a data point; a refresh never resets it")
  func given() async throws {
    let world = try world("complete")
    let client = world.client
    #expect(client.consent(of: "visitor-1") == nil)
    try client.setConsent(true, for: "visitor-1")
    try client.setConsent(true, for: "visitor-1")
    #expect(world.told.count == 1)
    let datum = try #require(world.told.first?.toldDatum)
    #expect(datum.kind == "consent" && datum.value == .flag(true))
    #expect(client.visit(of: "visitor-1") == nil)
    #expect(try client.variation(of: "checkout", for: "visitor-1").key == "treatment")
    #expect(try client.triggerExperiment("visitor-1", 1) == 10)
    world.loader.answers(
      try ExperimentConfiguration.flags(ruleFlag, #""consent":"complete","modified":7"#))
    try await client.refresh()
    #expect(try client.variation(of: "checkout", for: "visitor-1").status == .repeated)
    try client.setConsent(false, for: "visitor-1")
    #expect(client.consent(of: "visitor-1") == false)
    #expect(throws: ExperimentError.consentRequired) {
      try client.variation(of: "checkout", for: "visitor-1")
    }
    try world.expectReplays()
    #expect(try world.rebuilt().client.consent(of: "visitor-1") == false)
  }

  @Test("where consent is not required nothing asks for it")
  func notRequired() throws {
    let world = try world("none")
    try world.client.setConsent(false, for: "visitor-1")
    #expect(try world.client.variation(of: "checkout", for: "visitor-1").key == "treatment")
  }
}
