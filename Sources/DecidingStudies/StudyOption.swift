internal import Events

/// An option of a ``Study`` with its counts.
///
/// It is identified by its description: two options are equal when their descriptions have the same UTF-8
/// bytes.
public struct StudyOption: Sendable, Hashable, Codable {
  /// The description, unique within the study.
  public let description: String
  /// The number of times that it was taken.
  public let timesTaken: Int
  /// The number of times that the study was encountered while it had the option.
  public let timesEncountered: Int

  /// Creates an option; by default one that was never encountered.
  public init(description: String, timesTaken: Int = 0, timesEncountered: Int = 0) {
    self.description = description
    self.timesTaken = timesTaken
    self.timesEncountered = timesEncountered
  }

  /// The share of encounters in which the option was taken; nil when there were none.
  public var percentageTaken: Double? {
    timesEncountered == 0 ? nil : Double(timesTaken) / Double(timesEncountered)
  }

  /// Compares the descriptions; counts are ignored.
  public static func == (a: StudyOption, b: StudyOption) -> Bool {
    a.description.utf8.elementsEqual(b.description.utf8)
  }

  /// Hashes the description, to agree with `==`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(VariantID(description))
  }
}
