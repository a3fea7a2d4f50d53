/// An event of a study of a unit, prepared for predictors: 32 bytes.
///
/// Options are identified twice: by their current index in declared order, and by their permanent number in the
/// ``StudyCatalog``.
public struct StudyStep: Sendable, BitwiseCopyable {
  /// The kind of step.
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// A take of an option of the study.
    case take = 0
    /// A take of an option that was not in the study: it is appended, at the given index.
    case novelTake = 1
    /// An encounter of the study without a take.
    case encounter = 2
    /// The study starts anew with the options of the table at `place`.
    case define = 3
    /// The table at `place - 1` changed to the one at `place` by changes of single options.
    case change = 4
    /// The features of the unit are those at `place` from here on.
    case features = 5
  }

  /// The time, in microseconds since 1970-01-01T00:00:00Z.
  public var time: Int64
  /// The run: an index of the evaluation for one study of one unit.
  public var run: UInt32
  /// The number of the study in the catalog.
  public var study: UInt32
  /// The value of the dimension by which scores are broken down; 0 without a breakdown.
  public var value: UInt32
  /// The index of the option of a take; else an index into ``StudyTables``.
  public var place: UInt32
  /// The catalog number of the option of a take.
  public var option: UInt32
  /// The kind of step.
  public var kind: Kind

  /// Creates a step.
  public init(
    _ kind: Kind, time: Int64, run: UInt32 = 0, study: UInt32 = 0, value: UInt32 = 0,
    place: UInt32 = 0, option: UInt32 = 0
  ) {
    self.kind = kind
    self.time = time
    self.run = run
    self.study = study
    self.value = value
    self.place = place
    self.option = option
  }
}

/// The tables that steps refer to.
public struct StudyTables: Sendable {
  /// Tables of options by their catalog numbers, in declared order, with their counts.
  public var options: [OptionTable<UInt32>] = []
  /// The features of units.
  public var features: [[Feature]] = []

  /// Creates empty tables.
  public init() {}
}

/// The studies and options of a log.
public struct StudyCatalog: Sendable {
  /// The names of the studies.
  public var studies: [String]
  /// The names of the options; a name has one number for each study that it is in.
  public var options: [String]
  /// The study of each option.
  public var studyOfOption: [UInt32]
  /// The code of each option, the same in every log.
  public let codes: [UInt64]
  /// The values of the dimension; the first one is for unknown.
  public var values: [String?]

  /// Creates a catalog.
  public init(
    studies: [String], options: [(study: UInt32, name: String)], values: [String?] = [nil]
  ) {
    self.studies = studies
    self.options = options.map(\.name)
    studyOfOption = options.map(\.study)
    codes = options.map { Feature.code(of: $0.name) }
    self.values = values
  }
}
