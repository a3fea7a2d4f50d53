internal import Events
internal import Prediction

/// Studies stored elsewhere: a JSON list of records `{"description":…,"options":[{"description":…,
/// "timesEncountered":…,"timesTaken":…}]}`.
///
/// They are imported into the log by ``Studies/define(_:)``, one by one.
public struct StudyRecords: Sendable {
  /// The studies, in the order of the list.
  public let studies: [Study]
  /// The invalid records that were skipped: the path of each and the problem.
  public let leftOut: [String]

  /// Parses the records.
  ///
  /// - Parameters:
  ///   - text: The JSON text.
  ///   - skippingInvalid: Whether an invalid study or option, such as one with a missing field, is skipped
  ///     and listed;
  ///     otherwise it is an error with its path.
  /// - Throws: ``StudyError/invalidSnapshot(_:)``.
  public init(parsing text: String, skippingInvalid: Bool = false) throws(StudyError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: text)
    } catch {
      throw .invalidSnapshot("it is no JSON: \(error)")
    }
    guard let records = json.array else {
      throw .invalidSnapshot("the root must be a list of studies, not \(json.kindName)")
    }
    var (studies, leftOut): ([Study], [String]) = ([], [])
    for (index, record) in records.enumerated() {
      var record = record
      if skippingInvalid { leftOut += Self.dropOptions(from: &record, at: index) }
      switch Self.study(record) {
      case .success(let study): studies.append(study)
      case .failure(let problem) where skippingInvalid: leftOut.append(problem.text(at: "\(index)"))
      case .failure(let problem):
        throw .invalidSnapshot(
          problem.text(at: "\(index)") + "; mend the record, or skip invalid ones")
      }
    }
    (self.studies, self.leftOut) = (studies, leftOut)
  }

  /// Removes the invalid options from a record, and returns the problem of each.
  private static func dropOptions(from record: inout JSONValue, at index: Int) -> [String] {
    guard var object = record.object, let options = object["options"]?.array else { return [] }
    var (kept, leftOut): ([JSONValue], [String]) = ([], [])
    for (place, option) in options.enumerated() {
      if let problem = problem({ _ = try option.decoded(as: StudyOption.self) }) {
        leftOut.append(problem.text(at: "\(index).options.\(place)"))
      } else {
        kept.append(option)
      }
    }
    object["options"] = .array(kept)
    record = .object(object)
    return leftOut
  }

  /// Returns the study of a record, whose predictor is in the catalog.
  static func study(
    _ record: JSONValue, _ catalog: PredictorCatalog = .standard
  ) -> Result<Study, RecordProblem> {
    var study: Study?
    let problem = problem {
      study = try record.decoded(as: Study.self, userInfo: catalog.userInfo)
    }
    if let study { return .success(study) }
    return .failure(problem ?? RecordProblem(reason: "the root cannot be read"))
  }

  private static func problem(_ reading: () throws -> Void) -> RecordProblem? {
    do {
      try reading()
      return nil
    } catch let error as DecodingError {
      return RecordProblem(reason: JSONValue.explanation(of: error))
    } catch {
      return RecordProblem(reason: "\(error)")
    }
  }
}

/// A problem of a record: the path within the record and the reason.
struct RecordProblem: Error {
  let reason: String

  /// Returns the message for a record at the path.
  func text(at path: String) -> String {
    let root = "the root"
    return reason.hasPrefix(root) ? path + reason.dropFirst(root.count) : "\(path).\(reason)"
  }
}
