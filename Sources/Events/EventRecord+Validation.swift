/// An error thrown for an invalid event.
public struct EventProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A message in one line that says what is wrong and how to fix it.
  public var description: String
  /// Whether the event has no unit, which no correction of the record may give it.
  package var lacksUnit = false

  /// Creates an error from its description.
  public init(_ description: String) {
    self.description = description
  }
}

extension EventRecord {
  /// Checks that the event can be read back, from a log and from JSON Lines: the required fields, a unit that is not
  /// empty except in a life-cycle event, a status that belongs to the kind, finite numbers, one probability for each
  /// choice, texts in UTF-8, unique names, and valid JSON in preserved members, nested at most 64 deep and without a
  /// member that is a field of the event.
  ///
  /// Whether a propensity lies in (0, 1] and whether probabilities sum to 1 is not checked here: the log records what
  /// was logged, and reports judge it.
  ///
  /// - Throws: ``EventProblem``.
  /// - Complexity: O(bytes of the event), and O(n log n) in the attributes of a list.
  public func validate() throws(EventProblem) {
    try validateTexts()
    try validateFields()
    try validateNumbers()
    try validateCarried()
  }

  /// Checks what a parser has not checked while reading a line: that the required fields are present and consistent.
  ///
  /// - Throws: ``EventProblem``.
  /// - Complexity: O(number of probabilities).
  package func validateFields() throws(EventProblem) {
    guard time.isWritable else {
      throw EventProblem("the time lies outside the years 0001 to 9999; give it in UTC")
    }
    try requireFields()
    if let status, !status.applies(to: kind) {
      throw EventProblem(
        "status \"\(status.name)\" does not belong to a \(kind.name); omit or correct it")
    }
    try requireFinite(propensity, "propensity")
    try requireFinite(value, "value")
    try requireFinite(revenue, "revenue")
    if hasProbabilities, hasChoices, probabilities.count != choices.count {
      throw EventProblem(
        "\(probabilities.count) probabilities for \(choices.count) choices; give one for each")
    }
    for number in probabilities where !number.isFinite {
      throw EventProblem("\"probabilities\" must be finite numbers")
    }
  }

  @inline(__always)
  private func requireFinite(_ number: Double?, _ name: StaticString) throws(EventProblem) {
    if let number, !number.isFinite { throw EventProblem("\"\(name)\" must be a finite number") }
  }

  private func requireFields() throws(EventProblem) {
    try requireUnit()
    switch kind {
    case .decision:
      try require(.experiment)
      try require(.variant)
    case .goal:
      try require(.experiment)
      try require(.goal)
    case .conversion: try require(.goal)
    case .dataPoint: try require(.dataKind)
    case .decisionConfirmed: try require(.experiment)
    case .configurationApplied: try require(.system)
    case .sessionExpired, .assignmentRemoved: break
    }
  }

  private func requireUnit() throws(EventProblem) {
    do throws(EventProblem) {
      try require(.unit)
      if self[.unit].count == 0, !kind.isLifeCycle {
        throw EventProblem("\"unit\" is empty; only life-cycle events may concern everyone")
      }
    } catch {
      var problem = error
      problem.lacksUnit = true
      throw problem
    }
  }

  private func require(_ field: TextField) throws(EventProblem) {
    guard self[field].isPresent else {
      let name = field == .dataKind ? "kind" : "\(field)"
      throw EventProblem("a \(kind.name) must have \"\(name)\"")
    }
  }
}
