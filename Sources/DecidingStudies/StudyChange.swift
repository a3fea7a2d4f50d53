/// A notice that a study has changed.
public struct StudyChange: Sendable, Hashable {
  /// The kind of change. The raw values of the first five and of `removed` are the reasons of the events.
  public enum Action: String, Sendable, CaseIterable {
    /// The study was defined or redefined.
    case defined
    /// An option was added.
    case optionAdded = "option-added"
    /// All options were replaced.
    case optionsReplaced = "options-replaced"
    /// The counts of an option were replaced, or an option with counts was added.
    case optionUpdated = "option-updated"
    /// An option was removed.
    case optionRemoved = "option-removed"
    /// The study was removed.
    case removed
    /// An option was taken.
    case optionTaken = "option-taken"
    /// The study was encountered.
    case encountered
    /// An option was forced.
    case forced
    /// An override was removed.
    case unforced
  }

  /// The description of the study.
  public let study: String
  /// The options after the change, in declared order; none when the study was removed.
  public let options: [StudyOption]
  /// The kind of change.
  public let action: Action

  /// Compares the study, the options with their counts, and the action.
  public static func == (a: StudyChange, b: StudyChange) -> Bool {
    a.study.utf8.elementsEqual(b.study.utf8) && a.action == b.action && a.options == b.options
      && a.options.map(\.timesTaken) == b.options.map(\.timesTaken)
      && a.options.map(\.timesEncountered) == b.options.map(\.timesEncountered)
  }
}
