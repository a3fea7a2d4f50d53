public import Specifications
internal import Statistics

/// How much of the probability of a target policy the log can speak of, by place and variant.
///
/// A choice has support if the logging policy could have made it: its logged probability is above zero, or, where
/// probabilities were not logged, it was chosen at its place at least once.
///
/// - Complexity: about 250 bytes for each place and variant; an addition takes O(choices).
public struct SupportTally: StateFields {
  /// A variant at a place.
  public struct Cell: StateFields, Equatable {
    /// The decisions that had the variant among their choices.
    public fileprivate(set) var offered = 0
    /// The decisions that chose it.
    public fileprivate(set) var decisions = 0
    fileprivate var propensities = ExactSum()
    fileprivate var weights = ExactSum()
    fileprivate var targets = ExactSum()
    fileprivate var withoutSupport = ExactSum()

    /// The mean propensity of the decisions that chose it; nil without any.
    public var meanPropensity: Double? {
      decisions > 0 ? propensities.value / Double(decisions) : nil
    }
    /// The mean probability that the target policy gives it where it is a choice; nil if it never is.
    public var meanTarget: Double? { offered > 0 ? target / Double(offered) : nil }
    /// The sum of the weights of the decisions that chose it.
    public var weight: Double { weights.value }
    /// The sum of the target policy's probabilities.
    public var target: Double { targets.value }
    /// The part of that sum without support.
    public var targetWithoutSupport: Double { withoutSupport.value }

    fileprivate init() {}

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&offered, other.offered)
      visit(&decisions, other.decisions)
      visit(&propensities, other.propensities)
      visit(&weights, other.weights)
      visit(&targets, other.targets)
      visit(&withoutSupport, other.withoutSupport)
    }
  }

  /// The cells of a list of choices, looked up once while decisions have the same list.
  private struct Lookup: Sendable {
    var place = UInt32.max
    var variants: [UInt32] = []
    var cells: [Int] = []
    var wereChosen: [Bool] = []
  }

  /// The decisions in whose situation the policy says what it would choose.
  public private(set) var decisions = 0
  /// The decisions of which a part of the target policy's probability has no support.
  public private(set) var decisionsWithoutSupport = 0
  private var beyond = ExactSum()
  private var table = Table()
  private var recent = Lookup()

  init() {}

  /// The cells by place and variant, sorted by their codes.
  public var cells: [(key: PlaceVariant, cell: Cell)] {
    table.keys.map { ($0.key, table.contents[$0.value]) }.sorted {
      ($0.0.place, $0.0.variant) < ($1.0.place, $1.0.variant)
    }
  }

  /// The sum over decisions of the target policy's probability without support, on choices and beside them.
  public var targetWithoutSupport: Double {
    var sum = beyond
    for cell in table.contents { sum.merge(cell.withoutSupport) }
    return sum.value
  }

  /// The part of that sum that is on none of the choices.
  public var targetBesideChoices: Double { beyond.value }

  /// The share of the target policy's probability without support; nil without decisions.
  public var shareWithoutSupport: Double? {
    decisions > 0 ? targetWithoutSupport / Double(decisions) : nil
  }

  /// Adds a number of decisions with the same choices, without what was chosen.
  ///
  /// - Parameters:
  ///   - choices: Their choices with the probabilities of the target policy; that of a choice that stands for them is
  ///     added with what was chosen.
  ///   - logged: The logged probabilities of the choices, in the same order; nil if they were not logged.
  ///   - place: The number of the place.
  ///   - chosen: The variants that were chosen at each place.
  ///   - times: The number of decisions.
  mutating func add(
    _ choices: TargetProbabilities.Choices, logged: ArraySlice<Double>?, at place: UInt32,
    _ chosen: PlaceVariants, times: Int
  ) {
    if recent.place != place || recent.variants != choices.variants {
      find(choices.variants, place, chosen)
    }
    decisions += times
    var sum = SmallSum()
    var lacks = false
    for index in choices.variants.indices {
      let cell = recent.cells[index]
      table.contents[cell].offered += times
      let probability = choices.isRealized ? 0 : choices.probabilities[index]
      guard probability > 0 else { continue }
      sum.add(probability)
      table.contents[cell].targets.add(probability, times: times)
      let isSupported = logged.map { $0[$0.startIndex + index] > 0 } ?? recent.wereChosen[index]
      guard !isSupported else { continue }
      table.contents[cell].withoutSupport.add(probability, times: times)
      lacks = true
    }
    // Probabilities that sum to 1 but for rounding are on the choices.
    if !choices.isRealized, sum.value < 1 - 1e-9 {
      beyond.add(1 - sum.value, times: times)
      lacks = true
    }
    if lacks { decisionsWithoutSupport += times }
  }

  /// Adds what a number of decisions chose; if it stands for the policy's choice, as such too.
  mutating func add(chosen variant: PlaceVariant, isRealized: Bool, times: Int) {
    let cell = cell(variant)
    table.contents[cell].decisions += times
    if isRealized { table.contents[cell].targets.add(1, times: times) }
  }

  /// Adds the propensity and the weight of a number of decisions that chose a variant.
  ///
  /// - Parameters:
  ///   - propensity: The propensity.
  ///   - weight: The weight.
  ///   - cell: The variant, by ``cell(_:)``.
  ///   - times: The number of decisions.
  mutating func add(propensity: Double, weight: Double, to cell: Int, times: Int) {
    table.contents[cell].propensities.add(propensity, times: times)
    table.contents[cell].weights.add(weight, times: times)
  }

  private mutating func find(_ variants: [UInt32], _ place: UInt32, _ chosen: PlaceVariants) {
    recent = Lookup(place: place, variants: variants)
    for variant in variants {
      recent.cells.append(cell(PlaceVariant(place: place, variant: variant)))
      recent.wereChosen.append(chosen.contains(variant, at: place))
    }
  }

  /// Returns the index of the cell of a variant at a place, which is added if needed.
  mutating func cell(_ key: PlaceVariant) -> Int { table.cell(key) }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&decisions, other.decisions)
    visit(&decisionsWithoutSupport, other.decisionsWithoutSupport)
    visit(&beyond, other.beyond)
    visit(&table, other.table)
  }

  /// The cells by place and variant, in order of their first appearance.
  private struct Table: StateField {
    var keys: [PlaceVariant: Int] = [:]
    var contents: [Cell] = []

    /// Returns the index of the cell of a variant at a place, which is added if needed.
    mutating func cell(_ key: PlaceVariant) -> Int {
      if let index = keys[key] { return index }
      keys[key] = contents.count
      contents.append(Cell())
      return contents.count - 1
    }

    mutating func merge(_ other: Table) {
      for (key, index) in other.keys { contents[cell(key)].merge(other.contents[index]) }
    }

    func write(to writer: inout StateWriter) {
      StateEntries(keys.mapValues { contents[$0] }, .numbers, Cell()).write(to: &writer)
    }

    mutating func read(from reader: inout StateReader) throws(StateError) {
      var stored = StateEntries<PlaceVariant, Cell>([:], .numbers, Cell())
      try stored.read(from: &reader)
      for (key, stored) in stored.entries { contents[cell(key)] = stored }
    }
  }
}
