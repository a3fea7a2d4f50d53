import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

/// Flags answered straight from the JSON of the configuration, as the rules are written.
private struct NaiveFlags {
  let json: JSONValue
  let user: String

  private func list(_ value: JSONValue?, _ name: String) -> [JSONValue] {
    value?[name]?.array ?? []
  }

  private func text(_ value: JSONValue?) -> String {
    value?.string ?? value?.integer.map { String($0) } ?? ""
  }

  private func hash(_ texts: String...) -> Double { UnitHash(joining: [user] + texts).fraction }

  private func pick(_ place: Double, _ variations: [JSONValue]) -> String? {
    let index = Shares.pick(place, from: variations.map { $0["deviation"]?.number ?? 0 })
    return index.map { text(variations[$0]["key"]) }
  }

  /// `variation reason rule`, or what is thrown.
  func answer(_ key: String, at seconds: Int64) throws -> String {
    guard let flag = list(json, "flags").first(where: { text($0["key"]) == key }) else {
      return "not found"
    }
    let schedules = list(flag, "schedules").map {
      ($0["from"]?.integer ?? .min)..<($0["to"]?.integer ?? .max)
    }
    let isScheduled = schedules.isEmpty || schedules.contains { $0.contains(seconds) }
    guard flag["enabled"]?.boolean ?? true, isScheduled else { return "disabled" }
    let standard = flag["default"]?.string ?? "off"
    if let holdout = json["holdout"],
      pick(hash(text(holdout["id"])), list(holdout, "variations")) == "in-holdout"
    {
      return "\(standard) holdout "
    }
    for group in list(json, "groups") {
      let members = list(group, "flags").map(text).sorted()
      guard let index = members.firstIndex(of: key) else { continue }
      let place = Int(hash(text(group["name"])) * Double(members.count))
      if place != index { return "\(standard) exclusion-group " }
    }
    for rule in list(flag, "rules") {
      if let targeting = rule["targeting"],
        try !VisitorSegment(targeting).isMet(by: facts(user: user), asking: ExperimentID(key))
      {
        continue
      }
      let respool = text(rule["respool"])
      let isDelivery = rule["type"]?.string == "delivery"
      if hash(text(rule["id"]), respool) < rule["exposition"]?.number ?? 1 {
        let consent = json["consent"]?.string ?? "none"
        if !isDelivery, consent != "none" {
          return consent == "partial" ? "\(standard) no-consent " : "consent required"
        }
        let variations = list(rule, "variations")
        let picked = pick(hash(text(rule["experiment"]), respool), variations)
        if let variation = isDelivery ? text(variations.first?["key"]) : picked {
          return "\(variation) \(isDelivery ? "delivered" : "hash") \(text(rule["id"]))"
        }
      }
      if isDelivery { break }
    }
    return "\(standard) default "
  }
}

@Suite("Experiments: flags against a naive implementation")
struct FlagTwinTests {
  /// As the twin says it.
  private func answer(_ client: ExperimentClient, _ flag: String, _ user: String) -> String {
    do {
      let variation = try client.previewVariation(of: flag, for: user)
      return "\(variation.key) \(variation.reason.rawValue) \(variation.rule ?? "")"
    } catch {
      switch error {
      case .featureNotFound: return "not found"
      case .featureDisabled: return "disabled"
      case .consentRequired: return "consent required"
      default: return "\(error)"
      }
    }
  }

  @Test("what a flag answers is what the rules say", arguments: 0..<20 as Range<UInt64>)
  func agrees(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<10 {
      guard let configuration = try? FlagHistory.configuration(&generator) else { continue }
      let world = try ExperimentsWorld(configuration)
      world.time.advance(seconds: Double(round) * 1_000)
      for user in ["u", "visitor-1", "1267576"] + (0..<7).map({ "user-\($0)" }) {
        let naive = NaiveFlags(json: configuration.json, user: user)
        for flag in FlagHistory.flags {
          let answer = self.answer(world.client, flag, user)
          let expected = try naive.answer(flag, at: Int64(round) * 1_000)
          #expect(answer == expected, "\(flag) for \(user), seed \(seed)")
        }
      }
    }
  }
}
