/// An option of selecting events, which all reports have.
public enum SelectionOption: String, CaseIterable, Sendable {
  case experiment, since, until
  case withoutReason = "without-reason"
  case by
  case timeZone = "time-zone"
}

extension Report {
  /// Returns the first of the options that were given that these parameters exclude, with the reason.
  package func refusal(
    of given: [SelectionOption]
  ) -> (option: SelectionOption, reason: String)? {
    refusedSelections.first { given.contains($0.option) }
  }
}
