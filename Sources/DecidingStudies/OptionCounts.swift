internal import Events
internal import Prediction

/// The options of a study in declared order, with their counts.
typealias OptionCounts = OptionTable<VariantID>

extension OptionTable<VariantID> {
  /// Creates options that were never encountered.
  init(descriptions: [String]) throws(StudyError) {
    try self.init(descriptions.map { StudyOption(description: $0) })
  }

  /// Creates a table of the options, with their encounter counts raised to the maximum.
  init(_ options: [StudyOption]) throws(StudyError) {
    self.init()
    var encountered = 0
    for option in options {
      try add(option)
      guard option.timesTaken >= 0, option.timesEncountered >= 0 else {
        throw .negativeCount(option.description)
      }
      encountered = Swift.max(encountered, option.timesEncountered)
    }
    for option in options where option.timesTaken > encountered {
      throw .takenExceedsEncountered(
        option.description, taken: option.timesTaken, encountered: encountered)
    }
    setEncountered(encountered)
  }

  var options: [StudyOption] { names.indices.map(option(at:)) }

  func option(at place: Int) -> StudyOption {
    StudyOption(
      description: names[place].rawValue, timesTaken: taken[place], timesEncountered: encountered)
  }

  private mutating func add(_ option: StudyOption) throws(StudyError) {
    guard !option.description.isEmpty else { throw .emptyDescription }
    guard append(VariantID(option.description), taken: option.timesTaken) else {
      throw .duplicateOption(option.description)
    }
  }
}

// The counts after a call; nil when it would change nothing.
extension OptionTable<VariantID> {
  /// Returns the table with one more option, never taken.
  func adding(_ description: String) -> OptionCounts? {
    var counts = self
    guard !description.isEmpty, counts.append(VariantID(description)) else { return nil }
    return counts
  }

  /// Returns the table with other counts for the option, or with the option added at the end.
  func updating(_ option: StudyOption) throws(StudyError) -> OptionCounts? {
    guard option.timesTaken >= 0, option.timesEncountered >= 0 else {
      throw .negativeCount(option.description)
    }
    var counts = self
    if let place = place(of: VariantID(option.description)) {
      counts.setTaken(option.timesTaken, at: place)
    } else {
      try counts.add(option)
    }
    let isAlone = counts.names.count == 1
    counts.setEncountered(Swift.max(option.timesEncountered, isAlone ? 0 : encountered))
    guard option.timesTaken <= counts.encountered else {
      throw .takenExceedsEncountered(
        option.description, taken: option.timesTaken, encountered: counts.encountered)
    }
    return counts == self ? nil : counts
  }

  /// Returns the table without the option.
  func removing(_ description: String) -> OptionCounts? {
    guard let place = place(of: VariantID(description)) else { return nil }
    var counts = self
    counts.remove(at: place)
    return counts
  }

  /// Returns a table with new options instead of all existing ones.
  func replaced(by descriptions: [String]) throws(StudyError) -> OptionCounts? {
    let counts = try OptionCounts(descriptions: descriptions)
    return counts == self ? nil : counts
  }
}

extension OptionTable<VariantID> {
  /// The counts as the configuration of an event:
  /// `{"options":[{"description":…,"timesEncountered":…,"timesTaken":…}]}`.
  var configuration: JSONValue {
    let options = options.map { option -> JSONValue in
      [
        "description": .string(option.description),
        "timesEncountered": .integer(Int64(option.timesEncountered)),
        "timesTaken": .integer(Int64(option.timesTaken)),
      ]
    }
    return ["options": .array(options)]
  }

  /// Reads the configuration of an event; nil when it is invalid.
  init?(configuration text: JSONText?) {
    guard let text, let json = try? JSONValue(parsing: text.text),
      let configuration = try? json.decoded(as: StudyConfiguration.self),
      let counts = try? OptionCounts(configuration.options)
    else { return nil }
    self = counts
  }
}

/// The configuration of an event.
private struct StudyConfiguration: Decodable {
  var options: [StudyOption]
}
