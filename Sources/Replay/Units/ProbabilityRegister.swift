internal import EventLog

/// Assigns dense indices to the probabilities that decisions gave their choices, in order of first appearance: a list
/// of variants, and a probability for each, or none for choices alone. Duplicates are stored once.
///
/// Memory: for each distinct one 8 bytes per choice, and 20 to 28 bytes more.
package struct ProbabilityRegister: Sendable {
  /// The index of invalid probabilities: not between 0 and 1, not summing to 1, not as many as there are choices, or
  /// not above zero for the chosen variant.
  package static let wrong: UInt32 = 0

  private var listRegister = Register<[UInt32]>()
  /// For each index its list; not used for ``wrong``.
  private var owners: [UInt32] = [0]
  /// All probabilities, concatenated, and the start of those of each index; the last entry is the end.
  private var numbers: [Double] = []
  private var starts = [0, 0]
  /// The table of all but ``wrong``, in which each index is one less.
  private var table = IndexTable()

  /// Creates a register that contains only ``wrong``.
  init() {}

  /// The distinct lists of choices.
  package var lists: [[UInt32]] { listRegister.values }

  /// The number of indices.
  var count: Int { owners.count }

  /// Returns the index in ``lists`` of the list that the probabilities belong to; not for ``wrong``.
  package func list(of index: UInt32) -> Int { Int(owners[Int(index)]) }

  /// Returns a probability for each variant of the list; none for choices alone.
  package func probabilities(of index: UInt32) -> ArraySlice<Double> {
    numbers[starts[Int(index)]..<starts[Int(index) + 1]]
  }

  // MARK: Filling

  /// Forgets the numbers of lists in the current batch, because the next batch numbers them anew.
  mutating func beginBatch() { listRegister.beginBatch() }

  /// Returns the index of the probabilities of a row's decision; nil if they were not logged.
  ///
  /// - Complexity: O(choices) on average.
  mutating func index(of batch: EventBatch, _ row: Int) -> UInt32? {
    let number = batch.choices.codes[row]
    guard number > 0, let probabilities = batch.probabilities[row] else { return nil }
    let list = listIndex(number, batch.choices)
    let variants = lists[Int(list)]
    guard variants.count == probabilities.count, PropensityProjector.canBeRight(probabilities),
      zip(variants, probabilities).contains(where: { $0 == batch.variants[row] && $1 > 0 })
    else { return Self.wrong }
    return index(list, probabilities)
  }

  /// Returns the index of the choices alone of a row's decision; nil if none were logged, or not the chosen variant.
  ///
  /// - Complexity: O(choices).
  mutating func index(ofChoices batch: EventBatch, _ row: Int) -> UInt32? {
    let number = batch.choices.codes[row]
    guard number > 0 else { return nil }
    let list = listIndex(number, batch.choices)
    return lists[Int(list)].contains(batch.variants[row]) ? index(list, []) : nil
  }

  /// Adds the contents of another register.
  ///
  /// - Returns: For each index there, the one here.
  mutating func add(_ other: ProbabilityRegister) -> [UInt32] {
    let lists = listRegister.add(other.listRegister)
    var indices = [Self.wrong]
    for index in 1..<max(1, other.count) {
      let index = UInt32(truncatingIfNeeded: index)
      indices.append(self.index(lists[other.list(of: index)], other.probabilities(of: index)))
    }
    return indices
  }

  private mutating func listIndex(_ number: UInt32, _ choices: ChoiceColumn) -> UInt32 {
    listRegister.index(ofNumber: number) {
      choices.distinctVariants(of: number)
    }
  }

  private mutating func index(_ list: UInt32, _ probabilities: ArraySlice<Double>) -> UInt32 {
    let location = table.find(Self.code(list, probabilities)) {
      isSame(UInt32($0 + 1), list, probabilities)
    }
    if let index = location.index { return UInt32(index + 1) }
    owners.append(list)
    numbers += probabilities
    starts.append(numbers.count)
    table.add(at: location)
    if table.isFull { table.grow(codes) }
    return UInt32(owners.count - 1)
  }

  private func isSame(_ index: UInt32, _ list: UInt32, _ others: ArraySlice<Double>) -> Bool {
    owners[Int(index)] == list && probabilities(of: index).count == others.count
      && zip(probabilities(of: index), others).allSatisfy { $0.bitPattern == $1.bitPattern }
  }

  private var codes: some Sequence<Int> {
    (1..<owners.count).lazy.map { [self] index in
      Self.code(owners[index], probabilities(of: UInt32(index)))
    }
  }

  private static func code(_ list: UInt32, _ probabilities: ArraySlice<Double>) -> Int {
    var mixed = UInt64(list) &* 0x9E37_79B9_7F4A_7C15
    for probability in probabilities {
      mixed = (mixed ^ mixed >> 29 ^ probability.bitPattern) &* 0xBF58_476D_1CE4_E5B9
    }
    return IndexTable.code(mixed)
  }
}
