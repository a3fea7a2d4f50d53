import DecidingCore
import Events
import Prediction
import TestSupport

@testable import DecidingStudies

/// One call, or time that passes.
enum StudiesAction: Sendable {
  case pass(Int64)
  case define(String, [StudyOption])
  case take(String, String)
  case takeOption(String, StudyOption)
  case encounter(String)
  case add(String, String)
  case remove(String, String)
  case set(String, [String])
  case update(String, StudyOption)
  case forget(String)
  case act(String, String)
  case force(String, String)
  case unforce(String)
  case know(String, AttributeValue?)
  case ask(String, Double?)

  /// Calls the front, and says what it answered.
  @discardableResult
  func perform(_ studies: Studies, _ world: ManualWorld) throws -> String {
    switch self {
    case .pass(let time): world.time.advance(microseconds: time)
    case .define(let study, let options):
      try studies.define(Study(description: study, options: options))
    case .take(let study, let option):
      try studies.recordOptionTaken(withDescription: option, in: study)
    case .takeOption(let study, let option): try studies.recordOptionTaken(option, in: study)
    case .encounter(let study): try studies.recordEncounter(in: study)
    case .add(let study, let option):
      return "\(try studies.addOption(withDescription: option, in: study))"
    case .remove(let study, let option):
      return "\(try studies.removeOption(withDescription: option, in: study))"
    case .set(let study, let options):
      try studies.setOptions(withDescriptions: options, in: study)
    case .update(let study, let option): try studies.updateOption(option, in: study)
    case .forget(let study): return "\(try studies.remove(study))"
    case .act(let study, let option):
      let prediction = StudyPrediction(option: StudyOption(description: option), confidence: 0.5)
      return "\(try studies.act(on: prediction, in: study))"
    case .force(let study, let option): try studies.force(option, in: study)
    case .unforce(let study): try studies.unforce(in: study)
    case .know(let key, let value):
      try studies.recordDataPoint(kind: "custom", key: key, value: value)
    case .ask(let study, let threshold):
      let best = try studies.mostLikelyPrediction(in: study, above: threshold)
      let ranked = try studies.rankedPredictions(in: study)
      let suggestion = try studies.suggestion(in: study, above: threshold)
      return "\(String(describing: best)) \(ranked) \(suggestion)"
    }
    return ""
  }

  /// Does the same to studies as values, which know nothing of events.
  func perform(
    _ values: inout [ExperimentID: Study], by predictor: Predictor, at time: Timestamp
  ) throws {
    switch self {
    case .define(let study, let options):
      let new = try Study(description: study, options: options, predictor: predictor, at: time)
      let isNew = new.options.allSatisfy { $0.timesEncountered == 0 }
      let old = values[ExperimentID(study)]
      if !isNew || old != new { values[ExperimentID(study)] = new.sharing(with: old) }
    case .take(let study, let option):
      try values[ExperimentID(study)]?.recordOptionTaken(withDescription: option, at: time)
    case .takeOption(let study, let option):
      try values[ExperimentID(study)]?.recordOptionTaken(option, at: time)
    case .encounter(let study): values[ExperimentID(study)]?.recordEncounter(at: time)
    case .add(let study, let option):
      values[ExperimentID(study)]?.addOption(withDescription: option, at: time)
    case .remove(let study, let option):
      values[ExperimentID(study)]?.removeOption(withDescription: option)
    case .set(let study, let options):
      // Options that were never met stay as they are, with their dates.
      let new = try Study(description: study, optionDescriptions: options, predictor: predictor)
      let old = values[ExperimentID(study)]
      if old != new {
        values[ExperimentID(study)] = try Study(
          description: study, options: options.map { StudyOption(description: $0) },
          predictor: predictor, at: time
        ).sharing(with: old)
      }
    case .update(let study, let option):
      try values[ExperimentID(study)]?.updateOption(option, at: time)
    case .forget(let study): values[ExperimentID(study)] = nil
    case .pass, .act, .force, .unforce, .ask, .know: return
    }
  }
}

extension Study {
  /// With what all units had in common in the study before it.
  fileprivate func sharing(with old: Study?) -> Study {
    var new = self
    if let old { new.share(old.learning.common) }
    return new
  }
}

extension SeededGenerator {
  mutating func studiesAction() -> StudiesAction {
    let study = pick(["s", "t", "tabs", chance(0.2) ? "" : "s"], or: "s")
    let names = ["A", "B", "C", "D", "é", "e\u{301}", chance(0.2) ? "" : "A"]
    let name = pick(names, or: "A")
    switch index(40) {
    case 0..<5: return .define(study, (0..<index(5)).map { _ in option(names) })
    case 5..<17: return .take(study, name)
    case 17..<19: return .takeOption(study, option(names))
    case 19..<22: return .encounter(study)
    case 22..<25: return .add(study, name)
    case 25..<27: return .remove(study, name)
    case 27: return .set(study, (0..<index(4)).map { _ in pick(names, or: "A") })
    case 28..<31: return .update(study, option(names))
    case 31: return chance(0.3) ? .forget(study) : .unforce(study)
    case 32: return .act(study, name)
    case 33: return .force(study, name)
    case 34..<37: return .ask(study, pick([nil, 0, 0.3, 0.5, -1, .nan, 2], or: nil))
    case 37:
      let values: [AttributeValue?] = [.text("fr"), .flag(true), .number(1e300), .integer(7), nil]
      return .know(pick(["country", "age"], or: ""), pick(values, or: nil))
    default:
      // Hours to days, and sometimes a clock that is set back or jumps very far.
      if chance(0.1) { return .pass(-Int64(index(1_000_000_000_000))) }
      return .pass(Int64(index(chance(0.05) ? 1 << 58 : 400_000_000_000)))
    }
  }

  private mutating func option(_ names: [String]) -> StudyOption {
    let encountered = chance(0.05) ? Int.max - index(3) : index(6) - (chance(0.05) ? 3 : 0)
    let taken = chance(0.1) ? index(9) - 1 : index(max(0, min(encountered, 9)) + 1)
    return StudyOption(
      description: pick(names, or: "A"), timesTaken: taken, timesEncountered: encountered)
  }
}
