public import Events
public import Prediction

/// A place where a choice recurs, such as a tab bar or a list of rooms: its options, how often each was taken, and
/// what a predictor learned from that.
///
/// A study is a plain value, with neither a clock nor a sink: it can be tried out, compared and thrown away.
/// ``Studies`` keeps studies in the log. Events may be given a time; one without counts as of the latest
/// before it.
public struct Study: Sendable {
  /// What the study is about; by this it is known.
  public let description: String
  private(set) var counts: OptionCounts
  private(set) var learning: Predictor.Learning
  /// What is known of whoever takes the options, ascending by code, each code once: predictors that look at data
  /// points predict and learn from it. ``Studies`` keeps it up to date; it is not written with the study.
  public var features: [Feature] = []

  /// Makes a study of options that were never met, so that it predicts blindly.
  ///
  /// - Throws: ``StudyError/emptyDescription`` or ``StudyError/duplicateOption(_:)``.
  public init(
    description: String, optionDescriptions: [String], predictor: Predictor = .beauchamp
  ) throws(StudyError) {
    try self.init(
      description: description, options: optionDescriptions.map { StudyOption(description: $0) },
      predictor: predictor)
  }

  /// Makes a study of options that may have been met before. Every encountered count is raised to the greatest
  /// among them.
  ///
  /// - Parameters:
  ///   - description: What the study is about.
  ///   - options: In the order in which ties are settled.
  ///   - predictor: What predicts.
  ///   - time: The date of the counts.
  /// - Throws: ``StudyError`` when a description is empty or stands twice, a count is negative, or an option was
  ///   taken more often than it was encountered.
  public init(
    description: String, options: [StudyOption], predictor: Predictor = .beauchamp,
    at time: Timestamp? = nil
  ) throws(StudyError) {
    guard !description.isEmpty else { throw .emptyDescription }
    self.init(
      description: description, counts: try OptionCounts(options), predictor: predictor, at: time)
  }

  init(description: String, counts: OptionCounts, predictor: Predictor, at time: Timestamp?) {
    self.init(description: description, counts: counts, learning: predictor.beginning)
    define(counts, at: time)
  }

  init(description: String, counts: OptionCounts, learning: Predictor.Learning) {
    self.description = description
    self.counts = counts
    self.learning = learning
  }

  /// What predicts.
  public var predictor: Predictor { learning.predictor }

  /// The options in declared order: the order of the list they came with, added ones behind it.
  public var options: [StudyOption] { counts.options }

  /// The option with that description; nil when there is none.
  public func option(withDescription description: String) -> StudyOption? {
    counts.place(of: VariantID(description)).map(counts.option(at:))
  }

  /// An option was taken: it is counted as taken, and every option as encountered.
  ///
  /// - Throws: ``StudyError/unknownOption(_:)``.
  public mutating func recordOptionTaken(
    withDescription description: String, at time: Timestamp? = nil
  ) throws(StudyError) {
    guard let place = counts.place(of: VariantID(description)) else {
      throw .unknownOption(description)
    }
    take(place, at: time)
  }

  /// An option was taken. Of one that is a member only the description is used; any other is first added as by
  /// ``updateOption(_:at:)``.
  ///
  /// - Throws: ``StudyError`` when the option cannot be added.
  public mutating func recordOptionTaken(_ option: StudyOption, at time: Timestamp? = nil)
    throws(StudyError)
  {
    if counts.place(of: VariantID(option.description)) == nil { try updateOption(option, at: time) }
    try recordOptionTaken(withDescription: option.description, at: time)
  }

  /// The study was encountered and nothing was taken. Without options nothing changes.
  public mutating func recordEncounter(at time: Timestamp? = nil) {
    counts.encounter()
    learning.encounter(at: time?.microseconds)
  }

  /// Adds an option at the end, never taken and as often encountered as the study.
  ///
  /// - Returns: False when the option is there already, or the description is empty; nothing changes then.
  @discardableResult
  public mutating func addOption(withDescription description: String, at time: Timestamp? = nil)
    -> Bool
  {
    guard let counts = counts.adding(description) else { return false }
    rewrite(as: counts, at: time)
    return true
  }

  /// Removes an option and what was learned of it; the others keep their counts.
  ///
  /// - Returns: False when there is no such option.
  @discardableResult
  public mutating func removeOption(withDescription description: String) -> Bool {
    guard let counts = counts.removing(description) else { return false }
    rewrite(as: counts, at: nil)
    return true
  }

  /// Puts new options in place of all that there are, also of those whose description stays: their history is
  /// forgotten.
  ///
  /// - Throws: ``StudyError/emptyDescription`` or ``StudyError/duplicateOption(_:)``.
  public mutating func setOptions(withDescriptions descriptions: [String]) throws(StudyError) {
    define(try OptionCounts(descriptions: descriptions), at: nil)
  }

  /// Replaces the counts of the option with that description, or adds it; then every encountered count is raised
  /// to the greatest.
  ///
  /// - Throws: ``StudyError`` when the description is empty, a count is negative, or the option would have been
  ///   taken more often than encountered.
  public mutating func updateOption(_ option: StudyOption, at time: Timestamp? = nil)
    throws(StudyError)
  {
    if let counts = try counts.updating(option) { rewrite(as: counts, at: time) }
  }
}

extension Study {
  /// What a predictor is told of a moment. Only one by which units learn from each other asks what options are called.
  func situation(at time: Timestamp?) -> Situation {
    let codes = predictor.isPooled ? counts.names.map { Feature.code(of: $0.rawValue) } : []
    return Situation(time: time?.microseconds, options: codes, features: features)
  }

  /// What all units have in common, in place of what was known of that.
  mutating func share(_ common: any OptionPool) { learning.common = common }
}

// What events do, be they live or replayed.
extension Study {
  mutating func take(_ place: Int, at time: Timestamp?) {
    counts.take(at: place)
    learning.take(place, in: situation(at: time))
  }

  /// A take of an option that may be missing, as logs from elsewhere have it: it is added then.
  mutating func take(_ name: VariantID, at time: Timestamp) {
    if let place = counts.place(of: name) {
      take(place, at: time)
    } else if addOption(withDescription: name.rawValue, at: time) {
      take(counts.names.count - 1, at: time)
    }
  }

  /// Begins anew with these options and counts.
  mutating func define(_ counts: OptionCounts, at time: Timestamp?) {
    self.counts = counts
    learning.define(counts, at: time?.microseconds)
  }

  /// Takes over counts that differ from those before by a change of single options.
  mutating func rewrite(as new: OptionCounts, at time: Timestamp?) {
    learning.change(from: counts, to: new, at: time?.microseconds)
    counts = new
  }
}

extension Study: Equatable {
  /// Whether description, options in order and their counts are the same.
  public static func == (a: Study, b: Study) -> Bool {
    a.description.utf8.elementsEqual(b.description.utf8) && a.counts == b.counts
  }

  /// Whether the studies are equal and also the predictor, what it learned and what is known of the unit are the same.
  func isIdentical(to other: Study) -> Bool {
    self == other && learning == other.learning && features == other.features
  }
}
