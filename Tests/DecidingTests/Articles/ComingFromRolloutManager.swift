import Deciding
import Events
import Testing

@Suite("The article for those who come from RolloutManager")
struct ComingFromRolloutManager {
  @Test("its examples run, and do what it says")
  func article() throws {
    let sink = MemorySink()
    let isPro = false
    let text = """
      {"experiment_01": {"Settings": {"is_sticky": true, "supported_countries": "US, IL"},
                         "Variants": [{"name": "variant_01", "weight": 70},
                                      {"name": "variant_02", "weight": 30}]}}
      """
    let rollouts = Rollouts(unit: "install-7", surroundings: Surroundings(sink: sink))
    let json = try JSONValue(parsing: text)
    try rollouts.setup(RolloutConfiguration(json: json))
    let variant = rollouts.variant(experiment: "experiment_01", default: "off") { isPro }
    #expect(variant == "off")

    try rollouts.importDraw(
      "experiment_01",
      from: [
        "experiment_01_ExperimentResult": "experiment_01_variant_02",
        "experiment_01_ExperimentRandomNumber": 0.85,
      ])
    let result = rollouts.result(experiment: "experiment_01", default: "off")
    print(result.reason, result.number ?? 0, result.propensity ?? 0)
    // The machine that runs the test may be anywhere.
    #expect([.sticky, .country].contains(result.reason) && result.propensity == nil)

    let next = Rollouts(
      unit: "install-7", surroundings: Surroundings(sink: sink), replaying: sink.events)
    try next.setup(next.lastConfiguration)
    #expect(next.result(experiment: "experiment_01", default: "off") == result)

    let wasSaved = rollouts.removeExperimentDraw("experiment_01")
    #expect(wasSaved)

    let changed = RolloutConfiguration([
      RolloutExperiment(
        "experiment_01",
        variants: [.init("variant_01", weight: 80), .init("variant_02", weight: 20)])
    ])
    let shares = Rollouts.movers(from: rollouts.configuration, to: changed)
    #expect(shares == ["experiment_01": 0.1])
  }
}
