import Events
import TestSupport
import Testing

@testable import EventLog
@testable import Replay

/// Random events whose decisions have choices, a context and features of few values, some of them none.
func eventsWithFeatures(_ random: inout SeededGenerator, count: Int = 60) -> [Event] {
  SmallWorld.changingDecisions(SmallWorld.events(&random, count: count)) { decision in
    if random.chance(0.7) {
      decision.choices = [["v0", "v1", "v2"], ["v2", "v1"]][random.index(2)]
    }
    if random.chance(0.7) { decision.context = ["visits": .number(Double(random.index(2)))] }
    if random.chance(0.8) {
      var features = Features()
      let variants: [VariantID] = random.chance(0.5) ? ["v0", "v1", "v2"] : ["v2", "v0"]
      for variant in variants where random.chance(0.8) {
        var own = Attributes()
        if random.chance(0.8) { own["price"] = .number(Double(random.index(2))) }
        if random.chance(0.8) {
          own["brand"] = [.text("a"), .flag(true), .number(1)][random.index(3)]
        }
        features[variant] = own
      }
      decision.features = features
    }
  }
}

/// The situations of counted decisions as texts, and their indices.
private struct SituationCollector: UngroupedProjector {
  struct State: Sendable {
    let context: UnitContext
    var rows: [(index: UInt32, text: String)] = []
  }

  let selection: UnitSelection
  let variants: [(code: UInt32, name: String)]

  var needs: UnitNeeds { [.decisions, .situations] }

  func makeState(_ context: UnitContext) -> State { State(context: context) }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    for index in history.indices where history[index].kind == .situation {
      let situation = history[index].subject
      state.rows.append((situation, text(situation, state.context.situations)))
    }
  }

  private func text(_ situation: UInt32, _ situations: SituationRegister) -> String {
    let codes = situations.lists[situations.list(of: situation)]
    let choices = codes.map { code in variants.first { $0.code == code }?.name ?? "?" }
    let context = selection.contextAttributes.indices.map {
      situations.values(of: $0)[situations.value($0, of: situation)]
    }
    let features = selection.variantFeatures.indices.map { feature in
      variants.map { situations.feature(feature, of: $0.code, in: situation) }
    }
    return SituationRegisterTests.text(choices, context, features)
  }

  func merge(_ other: State, into state: inout State) { state.rows += other.rows }

  func result(of state: State, _ context: UnitContext) -> State { state }
}

@Suite("Situations with features of variants")
struct SituationRegisterTests {
  static func text(
    _ choices: [String], _ context: [AttributeValue?], _ features: [[AttributeValue?]]
  ) -> String {
    "\(choices) in \(context) with \(features)"
  }

  @Test(
    "are those of the decisions, each stored once, however the log is replayed",
    arguments: UInt64(0)..<200)
  func situations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = eventsWithFeatures(&random)
    var selection = UnitSelection()
    selection.contextAttributes = [[], ["visits"]][Int(seed) % 2]
    selection.variantFeatures =
      [["price"], ["brand", "price"], ["nowhere", "brand"], []][Int(seed / 2) % 4]
    // A dimension has its own attribute beside those of situations.
    if seed % 3 == 0 { selection.dimension = .context("visits") }
    let form = ReplayForm.all[Int(seed / 8) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let names = ["v0", "v1", "v2"]
    let variants = names.compactMap { name in
      log.names.code(of: name, in: .variants).map { (code: $0, name: name) }
    }
    let expected = events.compactMap { event -> String? in
      guard case .decision(let decision) = event.payload,
        [nil, .confirmed, .provisional].contains(decision.status)
      else { return nil }
      return Self.text(
        decision.choices?.map(\.rawValue) ?? [],
        selection.contextAttributes.map { decision.context?[$0] },
        selection.variantFeatures.map { name in
          variants.map { decision.features?[VariantID($0.name)]?[name] }
        })
    }
    let found = try form.replay(log).run(
      selection, units: SituationCollector(selection: selection, variants: variants))
    #expect(found.rows.map(\.text).sorted() == expected.sorted(), "seed \(seed), \(form)")
    let texts = Dictionary(found.rows.map { ($0.index, $0.text) }) { first, _ in first }
    #expect(Set(texts.values).count == texts.count, "seed \(seed), \(form)")
    #expect(found.context.situations.count == Set(expected).count, "seed \(seed), \(form)")
  }
}
