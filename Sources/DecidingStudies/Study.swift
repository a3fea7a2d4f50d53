public import Events
public import Prediction

/// A recurring choice, such as a tab bar or a list of rooms: its options, how often each was taken, and what
/// a predictor learned from that.
///
/// A study is a plain value without a clock or a sink: it can be tried out, compared and discarded.
/// ``Studies`` keeps studies in the log. Events can be given a time; without one they have that of the latest
/// event.
public struct Study: Sendable {
  /// The description, which identifies the study.
  public let description: String
  private(set) var counts: OptionCounts
  private(set) var learning: Predictor.Learning
  /// The features of the unit, ascending by code, each code once, for predictors that use data points.
  /// ``Studies`` keeps them up to date; they are not encoded with the study.
  public var features: [Feature] = []

  /// Creates a study of options that were never encountered, so that its predictions are blind.
  ///
  /// - Throws: ``StudyError/emptyDescription`` or ``StudyError/duplicateOption(_:)``.
  public init(
    description: String, optionDescriptions: [String], predictor: Predictor = .beauchamp
  ) throws(StudyError) {
    try self.init(
      description: description, options: optionDescriptions.map { StudyOption(description: $0) },
      predictor: predictor)
  }

  /// Creates a study of options with counts. Every encounter count is raised to the maximum among them.
  ///
  /// - Parameters:
  ///   - description: The description, which identifies the study.
  ///   - options: The options, in the order by which ties are broken.
  ///   - predictor: The predictor.
  ///   - time: The date of the counts.
  /// - Throws: ``StudyError`` when a description is empty or occurs twice, a count is negative, or an option
  ///   was taken more often than it was encountered.
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

  /// The predictor.
  public var predictor: Predictor { learning.predictor }

  /// The options in declared order: the order of the list, with added ones at the end.
  public var options: [StudyOption] { counts.options }

  /// Returns the option with that description; nil when there is none.
  public func option(withDescription description: String) -> StudyOption? {
    counts.place(of: VariantID(description)).map(counts.option(at:))
  }

  /// Records that an option was taken: it is counted as taken, and every option as encountered.
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

  /// Records that an option was taken. If the study has it, only its description is used; otherwise it is
  /// first added as by ``updateOption(_:at:)``.
  ///
  /// - Throws: ``StudyError`` when the option cannot be added.
  public mutating func recordOptionTaken(_ option: StudyOption, at time: Timestamp? = nil)
    throws(StudyError)
  {
    if counts.place(of: VariantID(option.description)) == nil { try updateOption(option, at: time) }
    try recordOptionTaken(withDescription: option.description, at: time)
  }

  /// Records that the study was encountered and nothing was taken. Does nothing without options.
  public mutating func recordEncounter(at time: Timestamp? = nil) {
    counts.encounter()
    learning.encounter(at: time?.microseconds)
  }

  /// Adds an option at the end, never taken and encountered as often as the study.
  ///
  /// - Returns: False when the option already exists or the description is empty; nothing changes then.
  @discardableResult
  public mutating func addOption(withDescription description: String, at time: Timestamp? = nil)
    -> Bool
  {
    guard let counts = counts.adding(description) else { return false }
    rewrite(as: counts, at: time)
    return true
  }

  /// Removes an option and what was learned about it; the others keep their counts.
  ///
  /// - Returns: False when there is no such option.
  @discardableResult
  public mutating func removeOption(withDescription description: String) -> Bool {
    guard let counts = counts.removing(description) else { return false }
    rewrite(as: counts, at: nil)
    return true
  }

  /// Replaces all options, including those whose description is kept: their history is discarded.
  ///
  /// - Throws: ``StudyError/emptyDescription`` or ``StudyError/duplicateOption(_:)``.
  public mutating func setOptions(withDescriptions descriptions: [String]) throws(StudyError) {
    define(try OptionCounts(descriptions: descriptions), at: nil)
  }

  /// Replaces the counts of the option with that description, or adds it; then every encounter count is
  /// raised to the maximum.
  ///
  /// - Throws: ``StudyError`` when the description is empty, a count is negative, or the option would have
  ///   been taken more often than encountered.
  public mutating func updateOption(_ option: StudyOption, at time: Timestamp? = nil)
    throws(StudyError)
  {
    if let counts = try counts.updating(option) { rewrite(as: counts, at: time) }
  }
}

extension Study {
  /// Returns the situation for a predictor. Only one by which units learn from each other needs the options'
  /// names.
  func situation(at time: Timestamp?) -> Situation {
    let codes = predictor.isPooled ? counts.names.map { Feature.code(of: $0.rawValue) } : []
    return Situation(time: time?.microseconds, options: codes, features: features)
  }

  /// Sets the pool of all units, replacing the earlier one.
  mutating func share(_ common: any OptionPool) { learning.common = common }
}

// The effects of events, live or replayed.
extension Study {
  mutating func take(_ place: Int, at time: Timestamp?) {
    counts.take(at: place)
    learning.take(place, in: situation(at: time))
  }

  /// Records a take of an option, adding it if it is missing, as in logs from elsewhere.
  mutating func take(_ name: VariantID, at time: Timestamp) {
    if let place = counts.place(of: name) {
      take(place, at: time)
    } else if addOption(withDescription: name.rawValue, at: time) {
      take(counts.names.count - 1, at: time)
    }
  }

  /// Starts again with these options and counts.
  mutating func define(_ counts: OptionCounts, at time: Timestamp?) {
    self.counts = counts
    learning.define(counts, at: time?.microseconds)
  }

  /// Updates the counts by changes of single options.
  mutating func rewrite(as new: OptionCounts, at time: Timestamp?) {
    learning.change(from: counts, to: new, at: time?.microseconds)
    counts = new
  }
}

extension Study: Equatable {
  /// Compares description, options in order and their counts.
  public static func == (a: Study, b: Study) -> Bool {
    a.description.utf8.elementsEqual(b.description.utf8) && a.counts == b.counts
  }

  /// Returns whether the studies are equal, including the predictor, what it learned, and the features.
  func isIdentical(to other: Study) -> Bool {
    self == other && learning == other.learning && features == other.features
  }
}
