internal import EventLog
internal import Events

/// What an evaluation knows of a log after its first pass.
struct EvaluationSource: Sendable {
  /// The context of the units.
  let context: UnitContext
  /// The attributes of the context in situations.
  let attributes: [String]
  /// The attributes of variants in situations.
  let variantFeatures: [String]
  /// By number of the place, the names of its point and slot.
  let places: [(point: String, slot: String)]
  /// The name of each variant, by code.
  let names: [UInt32: String]
  /// The variants of each place.
  let variants: PlaceVariants
  /// The numbers of all variants, of decisions and of choices.
  let numbers: VariantNumbers

  init(
    _ context: UnitContext, _ selection: UnitSelection, _ variants: PlaceVariants, _ log: LogNames
  ) {
    self.context = context
    attributes = selection.contextAttributes
    variantFeatures = selection.variantFeatures
    self.variants = variants
    places = Places(context.arms).names.map {
      (
        log.string($0.point, in: .points) ?? PointID.standard.rawValue,
        log.string($0.slot, in: .slots) ?? SlotID.standard.rawValue
      )
    }
    numbers = VariantNumbers(
      Set(variants.variants.joined()).union(context.situations.lists.joined()))
    names = Dictionary(
      numbers.codes.map { ($0, log.string($0, in: .variants) ?? "variant \($0)") },
      uniquingKeysWith: { first, _ in first })
  }

  /// The hashes of units, which decide on folds and weights.
  var hashes: UnitHashes { context.hashes }

  /// Returns the codes of the choices of a decision: those that were logged, otherwise the variants of its place.
  @inline(__always)
  func choices(of row: EvaluationRow) -> [UInt32] {
    let list = context.situations.list(of: row.situation)
    return list == 0 ? variants.variants(at: row.place) : context.situations.lists[list]
  }

  /// Returns the logged probabilities of the choices of a decision; nil if they were not logged or cannot be right.
  @inline(__always)
  func loggedProbabilities(of row: EvaluationRow) -> ArraySlice<Double>? {
    guard let index = row.probabilities, index != ProbabilityRegister.wrong else { return nil }
    let register = context.probabilities
    guard register.lists[register.list(of: index)] == choices(of: row) else { return nil }
    return register.probabilities(of: index)
  }
}
