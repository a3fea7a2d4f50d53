internal import Events
internal import Prediction

/// The options of a study in declared order, and their counts.
///
/// Whenever options are set as a whole every encountered count is raised to the greatest, and later each
/// encounter counts for all: so there is one count of encounters for the study.
struct OptionCounts: Equatable, Sendable {
  private(set) var names: [VariantID] = []
  private(set) var taken: [Int] = []
  private(set) var encountered = 0
  private(set) var places: [VariantID: Int] = [:]

  /// No options.
  init() {}

  /// Options that were never met.
  init(descriptions: [String]) throws(StudyError) {
    try self.init(descriptions.map { Option(description: $0) })
  }

  /// The options, their encounters raised.
  init(_ options: [Option]) throws(StudyError) {
    for option in options {
      try append(VariantID(option.description), taken: option.timesTaken)
      guard option.timesTaken >= 0, option.timesEncountered >= 0 else {
        throw .negativeCount(option.description)
      }
      encountered = max(encountered, option.timesEncountered)
    }
    for (name, taken) in zip(names, taken) where taken > encountered {
      throw .takenExceedsEncountered(name.rawValue, taken: taken, encountered: encountered)
    }
  }

  var options: [Option] { names.indices.map(option(at:)) }

  func option(at place: Int) -> Option {
    Option(
      description: names[place].rawValue, timesTaken: taken[place], timesEncountered: encountered)
  }

  private mutating func append(_ name: VariantID, taken count: Int) throws(StudyError) {
    guard !name.rawValue.isEmpty else { throw .emptyDescription }
    guard places[name] == nil else { throw .duplicateOption(name.rawValue) }
    places[name] = names.count
    names.append(name)
    taken.append(count)
  }

  static func == (a: OptionCounts, b: OptionCounts) -> Bool {
    a.encountered == b.encountered && a.taken == b.taken && a.names == b.names
  }
}

// What a call would make of the counts; nil when it would change nothing.
extension OptionCounts {
  /// With one more option that was never taken.
  func adding(_ description: String) -> OptionCounts? {
    var counts = self
    guard (try? counts.append(VariantID(description), taken: 0)) != nil else { return nil }
    return counts
  }

  /// With other counts for the option, or with the option at the end.
  func updating(_ option: Option) throws(StudyError) -> OptionCounts? {
    guard option.timesTaken >= 0, option.timesEncountered >= 0 else {
      throw .negativeCount(option.description)
    }
    let name = VariantID(option.description)
    var counts = self
    if let place = places[name] {
      counts.taken[place] = option.timesTaken
    } else {
      try counts.append(name, taken: option.timesTaken)
    }
    let isAlone = counts.names.count == 1
    counts.encountered = max(option.timesEncountered, isAlone ? 0 : encountered)
    guard option.timesTaken <= counts.encountered else {
      throw .takenExceedsEncountered(
        option.description, taken: option.timesTaken, encountered: counts.encountered)
    }
    return counts == self ? nil : counts
  }

  /// Without the option.
  func removing(_ description: String) -> OptionCounts? {
    guard let place = places[VariantID(description)] else { return nil }
    var counts = self
    counts.remove(at: place)
    return counts
  }

  /// With new options in place of all that there are.
  func replaced(by descriptions: [String]) throws(StudyError) -> OptionCounts? {
    let counts = try OptionCounts(descriptions: descriptions)
    return counts == self ? nil : counts
  }
}

// What an event makes of the counts.
extension OptionCounts {
  mutating func take(at place: Int) {
    taken[place] = taken[place].addingCount(1)
    encountered = encountered.addingCount(1)
  }

  mutating func encounter() { encountered = names.isEmpty ? 0 : encountered.addingCount(1) }

  mutating func remove(at place: Int) {
    places[names[place]] = nil
    names.remove(at: place)
    taken.remove(at: place)
    for later in place..<names.count { places[names[later]] = later }
    if names.isEmpty { encountered = 0 }
  }
}

extension OptionCounts {
  private struct Configuration: Codable {
    var options: [Option]
  }

  /// What an event says that carries the counts: `{"options":[{"description":…,"timesEncountered":…,
  /// "timesTaken":…}]}`.
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

  /// Reads what an event says; nil when it says nothing that can be.
  init?(configuration text: JSONText?) {
    guard let text, let json = try? JSONValue(parsing: text.text),
      let configuration = try? json.decoded(as: Configuration.self),
      let counts = try? OptionCounts(configuration.options)
    else { return nil }
    self = counts
  }
}
