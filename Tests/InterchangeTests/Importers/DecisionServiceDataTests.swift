import Events
import Foundation
import Testing

@testable import Interchange

@Suite(
  "Decision Service logs of Vowpal Wabbit",
  .enabled(
    if: Datasets.hasDecisionService,
    "needs the files dsjson in ../shared/datasets or in the folder BANDOLIER_DATASETS"))
struct DecisionServiceDataTests {
  private func content(_ name: String) throws -> SourceContent {
    try SourceContent(Importer().open("\(Datasets.folder)/dsjson/\(name)"))
  }

  @Test(
    "rewards, those of the first action, and events as Vowpal Wabbit counts them",
    arguments: [
      ("dsjson_cb.json", 23, 12.0, 6.0), ("dsjson_cb_part1.json", 12, 6, 4),
      ("dsjson_cb_part2.json", 11, 6, 2),
    ])
  func single(name: String, events: Int, reward: Double, baseline: Double) throws {
    let content = try content(name)
    #expect(content.rejected.isEmpty)
    #expect(content.decisions.count == events)
    #expect(content.goals.reduce(0) { $0 + ($1.value ?? 0) } == reward)
    var chosen: [UnitID: VariantID] = [:]
    var first = 0.0
    for event in content.events {
      switch event.payload {
      case .decision(let decision):
        chosen[event.unit] = decision.variant
        #expect(decision.choices == ["1", "2", "3", "4"])
        #expect(decision.context?.entries.count == 3 && decision.features?.entries.count == 4)
        let chance = decision.choices?.firstIndex(of: decision.variant).flatMap {
          decision.probabilities?[$0]
        }
        #expect(abs((chance ?? 0) - (decision.propensity ?? 1)) < 1e-6)
      case .goal(let goal): if chosen[event.unit] == "1" { first += goal.value ?? 0 }
      default: Issue.record("another event")
      }
    }
    #expect(first == baseline)
    guard events == 23 else { return }
    let counts = Dictionary(grouping: content.decisions, by: \.variant).mapValues(\.count)
    #expect(counts == ["1": 9, "2": 3, "3": 6, "4": 5])
    #expect(content.goals.count == 12)
  }

  @Test("events with three slots and no times")
  func slots() throws {
    let content = try content("ccb_reuse_medium.dsjson")
    #expect(content.rejected.isEmpty)
    #expect(content.decisions.map(\.slot) == (0..<4).flatMap { _ in ["1", "2", "3"] })
    #expect(content.decisions.map(\.choices?.count) == (0..<4).flatMap { _ in [4, 3, 2] })
    #expect(
      content.decisions.map(\.variant)
        == ["1", "5", "8", "1", "7", "8", "3", "5", "8", "1", "7", "8"])
    #expect(content.goals.count == 9)
    let rewards = content.goals.filter { $0.slot == "2" }.map(\.value)
    #expect(rewards == [0.0917649, 0.025595, 0.0230896])
    #expect(Set(content.events.map(\.unit)).count == 4)
    #expect(content.decisions.allSatisfy { $0.reason == "assumed time" })
  }
}
