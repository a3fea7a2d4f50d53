package import Specifications

/// An error of ``Study`` or ``Studies``. Nothing has changed when it is thrown.
public enum StudyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The description of a study or of an option is empty.
  case emptyDescription
  /// An option occurs twice in a list.
  case duplicateOption(String)
  /// The study has no such option.
  case unknownOption(String)
  /// There is no such study.
  case unknownStudy(String)
  /// An option would have been taken more often than the study was encountered.
  case takenExceedsEncountered(String, taken: Int, encountered: Int)
  /// A count of the option is negative.
  case negativeCount(String)
  /// The kind is reserved for data points that record takes and encounters.
  case reservedKind(String)
  /// The sink did not accept the events; with the reason.
  case notRecorded(String)
  /// A snapshot or a record is invalid; with the reason.
  case invalidSnapshot(String)

  /// The problem, its location, and how to fix it.
  public var description: String {
    switch self {
    case .emptyDescription:
      "a study and an option are known by their descriptions; give one that is not empty"
    case .duplicateOption(let option):
      "the option \"\(option)\" stands twice in the study; give each option a description of its own"
    case .unknownOption(let option):
      "the study has no option \"\(option)\"; add it with addOption, or record it as a StudyOption value"
    case .unknownStudy(let study):
      "there is no study \"\(study)\"; define it first"
    case .takenExceedsEncountered(let option, let taken, let encountered):
      "the option \"\(option)\" would be taken \(taken) times in \(encountered) encounters; "
        + "count an encounter for every take"
    case .negativeCount(let option):
      "a count of the option \"\(option)\" is negative; counts begin at 0"
    case .reservedKind(let kind):
      "data points of the kind \"\(kind)\" are takes and encounters; record them with "
        + "recordOptionTaken and recordEncounter"
    case .notRecorded(let reason):
      "nothing was recorded, and nothing has changed: \(reason); mend the sink and call again"
    case .invalidSnapshot(let reason):
      "the snapshot or record does not fit: \(reason)"
    }
  }
}

extension StudyError: ExitCoded {
  package var exitCode: ExitCode { .badData }
}
