public import Bandits
public import Specifications

/// The fits of a reward model of which each leaves out one fold of the units, so that no prediction is for a unit whose
/// rewards the model has seen: V. Chernozhukov et al., "Double/debiased machine learning for treatment and structural
/// parameters" (Econometrics Journal 21, 2018).
///
/// Additive models need one pass of sums per fold, from which the model without a fold is that of all sums minus those
/// of the fold. Other models keep one fit per fold, each of which reads the rows of all other folds.
public struct CrossFitting: Sendable {
  /// The number of folds; 1 for a single fit of all rows, which predicts for all units.
  public let folds: Int
  /// For an additive model the sums of each fold, otherwise the fit without each fold.
  private var fits: [any RewardFit]
  /// The fits that need no more passes.
  private var isDone: [Bool]
  private let isAdditive: Bool
  private let model: any RewardModel
  /// The greatest reward or weight that is too large for the model, in absolute value; 0 if there is none.
  private var excess = 0.0

  /// Starts the first pass.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - problem: The sizes of the data.
  ///   - folds: The number of folds, 1 ... 100.
  /// - Throws: `SpecificationError` if the number of folds is out of range or the problem is too large.
  public init(
    _ model: any RewardModel, _ problem: RewardProblem, folds: Int = 1
  ) throws(SpecificationError) {
    guard (1...100).contains(folds) else {
      throw SpecificationError("the number of folds is \(folds) and must be from 1 to 100")
    }
    (self.folds, self.model) = (folds, model)
    let fit = try model.makeFit(problem)
    fits = Array(repeating: fit, count: folds)
    isDone = Array(repeating: false, count: folds)
    isAdditive = type(of: fit).isAdditive
  }

  /// Returns the fold of a unit.
  ///
  /// - Parameters:
  ///   - unit: A hash of the unit, or any number unique to it.
  ///   - count: The number of folds.
  /// - Returns: A number from 0 to `count` − 1, the same on every machine.
  public static func fold(of unit: UInt64, among count: Int) -> Int {
    FeatureHash.place(FeatureHash.combine(0x666F_6C64, unit), below: count)
  }

  /// Adds rows of the current pass, all alike.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - features: Its features.
  ///   - unit: A hash of the unit.
  ///   - times: The number of rows.
  public mutating func add(
    _ row: RewardRow, _ features: FeatureVector, unit: UInt64, times: Int = 1
  ) {
    if let excess = row.excess, !type(of: model).learnsAnySize {
      self.excess = max(self.excess, abs(excess))
      return
    }
    guard folds > 1 else { return fits[0].add(row, features, times: times) }
    let fold = Self.fold(of: unit, among: folds)
    guard !isAdditive else { return fits[fold].add(row, features, times: times) }
    for index in fits.indices where index != fold && !isDone[index] {
      fits[index].add(row, features, times: times)
    }
  }

  /// The state at the beginning of the current pass, for other rows.
  public var emptyPart: CrossFitting {
    var part = self
    part.excess = 0
    for index in fits.indices { part.fits[index] = fits[index].emptyPart }
    return part
  }

  /// Adds the rows of a part of the same pass.
  public mutating func merge(_ part: CrossFitting) {
    excess = max(excess, part.excess)
    for index in fits.indices where !isDone[index] { Self.merge(&fits[index], part.fits[index]) }
  }

  private static func merge<Fit: RewardFit>(_ fit: inout Fit, _ part: any RewardFit) {
    if let part = part as? Fit { fit.merge(part) }
  }

  /// Writes the rows of the first pass so far.
  ///
  /// - Throws: `StateError` if the fits of the model cannot be written; see ``RewardModel/fitsInParts``.
  public func write(to writer: inout StateWriter) throws(StateError) {
    writer.write(excess)
    for fit in fits { try fit.write(to: &writer) }
  }

  /// Reads rows of the first pass of a fit of the same model, problem and number of folds, in place of these.
  ///
  /// - Throws: `StateError` if the bytes are not such rows.
  public mutating func read(from reader: inout StateReader) throws(StateError) {
    excess = try reader.readDouble()
    for index in fits.indices { try fits[index].read(from: &reader) }
  }

  /// Ends a pass; returns whether another is needed.
  ///
  /// - Throws: `SpecificationError` if the model cannot be fitted to the rows.
  public mutating func finishPass() throws(SpecificationError) -> Bool {
    guard excess == 0 else {
      throw SpecificationError(
        "the reward model \(model.specification) cannot learn from a reward or weight of \(excess), beyond "
          + "\(RewardRow.most); write --reward-model tabular, which can, or cap the rewards")
    }
    guard isAdditive, folds > 1 else {
      for index in fits.indices where !isDone[index] {
        isDone[index] = try !fits[index].finishPass()
      }
      return isDone.contains(false)
    }
    var whole = whole
    let needsMore = try whole.finishPass()
    if needsMore { fits = Array(repeating: whole.emptyPart, count: folds) }
    return needsMore
  }

  /// The sums of all folds of an additive model.
  private var whole: any RewardFit {
    var whole = fits[0]
    for fit in fits.dropFirst() { Self.merge(&whole, fit) }
    return whole
  }

  /// Returns the models after the last pass.
  ///
  /// - Throws: `SpecificationError` if the model cannot be fitted to the rows.
  public func models() throws(SpecificationError) -> CrossFittedModels {
    var models: [any FittedRewardModel] = []
    let whole = isAdditive && folds > 1 ? whole : nil
    for fit in fits {
      let rest = whole.map { Self.removing(fit, from: $0) } ?? fit
      models.append(try rest.fitted())
    }
    return CrossFittedModels(models: models)
  }

  private static func removing<Fit: RewardFit>(_ part: any RewardFit, from fit: Fit)
    -> any RewardFit
  {
    (part as? Fit).flatMap { fit.removing($0) } ?? fit
  }
}

/// Fitted models of which each was fitted without one fold of the units.
public struct CrossFittedModels: Sendable {
  /// The model for the units of each fold.
  public let models: [any FittedRewardModel]

  /// Returns the model that has not seen a unit; with one fold, the model of all rows.
  ///
  /// - Parameter unit: A hash of the unit.
  /// - Returns: One of the ``models``.
  public func model(for unit: UInt64) -> any FittedRewardModel { models[index(for: unit)] }

  /// Returns the index of the model that has not seen a unit; with one fold, 0.
  ///
  /// - Parameter unit: A hash of the unit.
  /// - Returns: An index of ``models``.
  public func index(for unit: UInt64) -> Int {
    models.count > 1 ? CrossFitting.fold(of: unit, among: models.count) : 0
  }
}
