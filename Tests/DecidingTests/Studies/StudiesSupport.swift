import DecidingCore
import Events
import Prediction
import Testing

@testable import DecidingStudies

extension Studies {
  /// Everything that later answers depend on.
  var state: StudiesState { recorder.read { $0 } }

  /// Expects that the log, replayed, gives the same state; and a snapshot too.
  func expectRebuilt(in world: ManualWorld, _ comment: Comment? = nil) throws {
    #expect(world.replayed(predictor, unit: unit).state == state, comment)
    let restored = try Studies(
      unit: unit, surroundings: world.surroundings, predictor: predictor, restoring: snapshot())
    #expect(restored.state == state, comment)
    #expect(restored.snapshot() == snapshot(), comment)
  }
}

extension ManualWorld {
  /// What the log says, in a front of its own.
  func replayed(_ predictor: Predictor = .beauchamp, unit: String = "u") -> Studies {
    Studies(unit: unit, surroundings: surroundings, predictor: predictor, replaying: events)
  }

  /// A front of the unit `u` with one study `s` of the options.
  func studies(_ options: String..., by predictor: Predictor = .beauchamp) throws -> Studies {
    let studies = Studies(unit: "u", surroundings: surroundings, predictor: predictor)
    try studies.define(Study(description: "s", optionDescriptions: options))
    return studies
  }
}

/// Options written as description, taken, encountered.
func options(_ rows: (String, Int, Int)...) -> [StudyOption] {
  rows.map { StudyOption(description: $0.0, timesTaken: $0.1, timesEncountered: $0.2) }
}

/// Descriptions and counts, to be compared.
func counts(_ options: [StudyOption]?) -> [String]? {
  options?.map { "\($0.description) \($0.timesTaken)/\($0.timesEncountered)" }
}
