/// Something that happened to a study of a unit, made ready for predictors: 32 bytes.
///
/// Options are named twice: by their place in the declared order of the moment, and by their number in the
/// ``StudyCatalog``, which stays.
public struct StudyStep: Sendable, BitwiseCopyable {
  /// What happened.
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// An option that is in the study was taken.
    case take = 0
    /// An option was taken that was not in the study: it is added behind the others, at the place given.
    case novelTake = 1
    /// The study was encountered and nothing taken.
    case encounter = 2
    /// The study begins anew with the options of the table at `place`.
    case define = 3
    /// The table at `place` less one became the one at `place` by a change of single options.
    case change = 4
    /// From here on the features at `place` are known of the unit.
    case features = 5
  }

  /// When, in microseconds since 1970-01-01T00:00:00Z.
  public var time: Int64
  /// Which study of which unit: an index of the evaluation's runs.
  public var run: UInt32
  /// The study in the catalog.
  public var study: UInt32
  /// The value of the dimension by which scores are broken down; 0 where they are not.
  public var value: UInt32
  /// Of a take the place of the option; else an index into ``StudyTables``.
  public var place: UInt32
  /// Of a take the number of the option in the catalog.
  public var option: UInt32
  /// What happened.
  public var kind: Kind

  /// Makes a step.
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

/// What steps point at.
public struct StudyTables: Sendable {
  /// Options by their numbers in the catalog, in declared order, with their counts.
  public var options: [OptionTable<UInt32>] = []
  /// What is known of a unit.
  public var features: [[Feature]] = []

  /// Nothing.
  public init() {}
}

/// The studies and options of a log.
public struct StudyCatalog: Sendable {
  /// The names of the studies.
  public var studies: [String]
  /// The names of the options; a name has a number for each study that it is in.
  public var options: [String]
  /// By option, the study that it is in.
  public var studyOfOption: [UInt32]
  /// By option, the code that it has in every log.
  public let codes: [UInt64]
  /// The values of the dimension; the first one is that of which nothing is known.
  public var values: [String?]

  /// Makes a catalog.
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
