internal import Events

/// One of the things that can be chosen in a ``Study``, with how often it was.
///
/// Its description is its identity: two options are equal when their descriptions have the same UTF-8 bytes.
public struct StudyOption: Sendable, Hashable, Codable {
  /// What the option is, unique within its study.
  public let description: String
  /// How often it was taken.
  public let timesTaken: Int
  /// How often the study was encountered while the option was in it.
  public let timesEncountered: Int

  /// Makes an option; one that was never met unless counts are given.
  public init(description: String, timesTaken: Int = 0, timesEncountered: Int = 0) {
    self.description = description
    self.timesTaken = timesTaken
    self.timesEncountered = timesEncountered
  }

  /// The share of the encounters in which it was taken; nil when there were none.
  public var percentageTaken: Double? {
    timesEncountered == 0 ? nil : Double(timesTaken) / Double(timesEncountered)
  }

  /// Whether the descriptions are the same; counts do not matter.
  public static func == (a: StudyOption, b: StudyOption) -> Bool {
    a.description.utf8.elementsEqual(b.description.utf8)
  }

  /// Hashes the description, to agree with `==`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(VariantID(description))
  }
}
