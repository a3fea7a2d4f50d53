import Events
import Specifications
import TestSupport
import Testing

@testable import EventLog
@testable import Replay

/// The rows of all units as texts.
private struct RowCollector: UngroupedProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var texts: [String] = []
    let context: UnitContext
    let places: Places
  }

  let attributeCount: Int
  let text: @Sendable (UInt32) -> String
  let place: @Sendable (Arm) -> String

  var needs: UnitNeeds { [.decisions, .goals, .propensities, .probabilities, .situations] }

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, Attribution()), context: context,
      places: Places(context.arms))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    let situations = state.context.situations
    state.rows.take(history, situations)
    for row in state.rows.rows {
      let choices = situations.lists[situations.list(of: row.situation)].map(text)
      let values = (0..<attributeCount).map {
        situations.values(of: $0)[situations.value($0, of: row.situation)]
      }
      let probabilities = row.probabilities.flatMap {
        $0 == ProbabilityRegister.wrong
          ? nil : Array(state.context.probabilities.probabilities(of: $0))
      }
      state.texts.append(
        EvaluationRowsTests.text(
          place(state.places.names[Int(row.place)]), text(row.variant), choices, values,
          probabilities, row.propensity, row.reward))
    }
  }

  func merge(_ other: State, into state: inout State) {
    state.rows.merge(other.rows)
    state.texts += other.texts
  }

  func result(of state: State, _ context: UnitContext) -> (
    texts: [String], ledger: EvaluationLedger
  ) {
    (state.texts.sorted(), state.rows.ledger)
  }
}

@Suite("Rows of an evaluation")
struct EvaluationRowsTests {
  static func text(
    _ place: String, _ variant: String, _ choices: [String], _ values: [AttributeValue?],
    _ probabilities: [Double]?, _ propensity: Double, _ reward: Double
  ) -> String {
    "\(place) \(variant) of \(choices) in \(values) by \(String(describing: probabilities)): \(propensity), \(reward)"
  }

  /// The rows by their definition.
  private static func naive(
    _ events: [Event], _ attributes: [String]
  ) -> (texts: [String], ledger: EvaluationLedger) {
    var ledger = EvaluationLedger()
    var texts: [String] = []
    var units: Set<String> = []
    for counted in NaiveRewards(events).decisions {
      let decision = counted.decision
      guard let propensity = counted.propensity else {
        ledger.withoutPropensity += 1
        continue
      }
      let choices = decision.choices ?? []
      guard choices.isEmpty || choices.contains(decision.variant) else {
        ledger.unknownVariant += 1
        continue
      }
      ledger.decisions += 1
      units.insert(counted.unit)
      let isPossible = choices.contains(decision.variant)
      texts.append(
        text(
          "\(counted.key.experiment) \(counted.key.point) \(counted.key.slot)",
          counted.key.variant, choices.map(\.rawValue),
          attributes.map { decision.context?[$0] }, isPossible ? decision.probabilities : nil,
          propensity, counted.sum))
    }
    ledger.units = units.count
    return (texts.sorted(), ledger)
  }

  @Test(
    "rows are the counted decisions with their situations, however the log is replayed",
    arguments: LongTests.twins)
  func rows(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = SmallWorld.situations(&random)
    let attributes = [["device", "visits"], ["visits"], [], ["device", "absent"]][Int(seed) % 4]
    let form = ReplayForm.all[Int(seed / 4) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: form.perFrame)
    var selection = UnitSelection()
    selection.contextAttributes = attributes
    // A dimension has its own attribute beside those of situations.
    if seed % 3 == 0 { selection.dimension = .context("device") }
    let names = log.names
    let collector = RowCollector(
      attributeCount: attributes.count, text: { names.string($0, in: .variants) ?? "" }
    ) {
      "\(names.string($0.experiment, in: .experiments) ?? "") \(names.string($0.point, in: .points) ?? "point-1") "
        + (names.string($0.slot, in: .slots) ?? "decision-1")
    }
    let found = try form.replay(log).run(selection, units: collector)
    var expected = Self.naive(events, attributes)
    // Whole decisions are counted in PageEvaluationTests.
    expected.ledger.incomplete = found.ledger.incomplete
    #expect(found.texts == expected.texts, "seed \(seed), \(form)")
    #expect(found.ledger == expected.ledger, "seed \(seed), \(form)")
  }
}
