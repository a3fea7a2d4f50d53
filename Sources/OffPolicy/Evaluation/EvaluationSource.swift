internal import EventLog
internal import Events
internal import Replay
internal import Specifications

/// The knowledge of an evaluation about a log after its first pass.
///
/// A class, so that the many values that refer to it do not copy what it has.
final class EvaluationSource: Sendable {
  /// The context of the units.
  let context: UnitContext
  /// The attributes of the context in situations.
  let attributes: [String]
  /// The attributes of variants in situations.
  let variantFeatures: [String]
  /// The days of the time zone of the report.
  let calendar: DayCalendar
  /// By number of the place, the names of its point and slot.
  let places: [(point: String, slot: String)]
  /// By number of the place, its rank in the order of the names, which is the same for all parts of a log.
  let ranks: [Int]
  /// The name of each variant, by code.
  let names: [UInt32: String]
  /// The variants of each place.
  let variants: PlaceVariants
  /// The numbers of all variants, of decisions and of choices.
  let numbers: VariantNumbers
  /// The contents of the situations.
  let contents: SituationContents
  /// By number of the place, the codes of its variants in the order of their names.
  private let choices: [[UInt32]]
  private let log: LogNames

  init(
    _ context: UnitContext, _ selection: UnitSelection, _ variants: PlaceVariants, _ log: LogNames,
    contents: SituationContents? = nil
  ) {
    self.context = context
    attributes = selection.contextAttributes
    variantFeatures = selection.variantFeatures
    calendar = selection.calendar
    self.variants = variants
    self.log = log
    let contents = contents ?? SituationContents(context.situations)
    self.contents = contents
    let arms = Places(context.arms).names
    places = arms.map {
      (
        log.string($0.point, in: .points) ?? PointID.standard.rawValue,
        log.string($0.slot, in: .slots) ?? SlotID.standard.rawValue
      )
    }
    ranks = Self.ranks(arms, log)
    let numbers = VariantNumbers(variants.all.union(contents.variants), log)
    self.numbers = numbers
    names = Dictionary(
      numbers.codes.map { ($0, log.string($0, in: .variants) ?? "variant \($0)") },
      uniquingKeysWith: { first, _ in first })
    choices = variants.variants.map { codes in
      codes.sorted { numbers.number(of: $0) < numbers.number(of: $1) }
    }
  }

  private static func ranks(_ places: [Arm], _ log: LogNames) -> [Int] {
    func key(_ code: UInt32, _ vocabulary: Vocabulary) -> [UInt8] {
      // The point or slot of a goal that applies to all of them has no name.
      log.bytes(code, in: vocabulary).map { [1] + $0 } ?? [code == .max ? 2 : 0]
    }
    let keys = places.map {
      [key($0.experiment, .experiments), key($0.point, .points), key($0.slot, .slots)]
    }
    let order = places.indices.sorted { a, b in
      for (one, other) in zip(keys[a], keys[b]) where one != other {
        return one.lexicographicallyPrecedes(other)
      }
      return false
    }
    var ranks = order
    for (rank, place) in order.enumerated() { ranks[place] = rank }
    return ranks
  }

  /// The hashes of units, which decide on folds and weights.
  var hashes: UnitHashes { context.hashes }

  /// Returns the codes of the choices of a decision: those that were logged, otherwise the variants of its place in the
  /// order of their names.
  @inline(__always)
  func choices(of row: CreditedDecision) -> [UInt32] {
    let list = context.situations.list(of: row.situation)
    guard list == 0 else { return context.situations.lists[list] }
    return Int(row.place) < choices.count ? choices[Int(row.place)] : []
  }

  /// Returns the logged probabilities of the choices of a decision; nil if they were not logged or cannot be right.
  @inline(__always)
  func loggedProbabilities(of row: CreditedDecision) -> ArraySlice<Double>? {
    guard let index = row.probabilities, index != ProbabilityRegister.wrong else { return nil }
    let register = context.probabilities
    guard register.lists[register.list(of: index)] == choices(of: row) else { return nil }
    return register.probabilities(of: index)
  }
}

extension EvaluationSource {
  /// Returns the end of a message about an attribute that no decision has: those of the log, if their names are known.
  func remedy(forAttribute name: String) -> String {
    let names = log.texts(.attributes).filter { !$0.isSameName(as: name) }
    guard !names.isEmpty else { return "; name one that they have" }
    return NearestName.remedy(for: name, among: names.distinctNames, lead: "the log has")
  }

  /// Returns the names among some that no variant has.
  func absentVariants(among variants: [String]) -> [String] {
    let known = Set(names.values.map { NameKey($0) })
    return variants.filter { !known.contains(NameKey($0)) }.distinctNames
  }

  /// Returns whether a policy names variants and there are none of them.
  func isAbsent(_ policy: any TargetPolicy) -> Bool {
    let named = policy.namedVariants
    return !named.isEmpty && absentVariants(among: named).count == named.count
  }

  /// Creates what is known before the first pass: all arms count as variants of their places.
  convenience init(surveying context: UnitContext, _ selection: UnitSelection, _ log: LogNames) {
    var variants = PlaceVariants()
    let places = Places(context.arms)
    for (arm, place) in zip(context.arms, places.ofArms) { variants.insert(arm.variant, at: place) }
    self.init(context, selection, variants, log)
  }
}
