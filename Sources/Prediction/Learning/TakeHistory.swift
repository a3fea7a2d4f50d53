/// The takes of one study as contexts and what followed them: what `markov` and `ppm` learn.
///
/// An option that is removed stays in the contexts that it was part of, and no longer counts as a follower.
///
/// - Complexity: memory O(options + contexts), as ``ContextTree`` says.
struct TakeHistory: Equatable, Sendable, Codable {
  /// The length of the longest context.
  let order: Int
  /// How often each option now present was taken, definitions included: the followers of the empty context.
  private(set) var takes: [Int] = []
  /// The number that stands for each option now present, ascending.
  private var symbols: [Int] = []
  /// The number of the next option that is added.
  private var nextSymbol = 0
  /// The last takes, the most recent one at the end.
  private var recent: [Int] = []
  private var tree = ContextTree()

  init(order: Int) { self.order = order }

  var isSound: Bool {
    let areAscending = zip(symbols, symbols.dropFirst()).allSatisfy { $0 < $1 }
    return symbols.count == takes.count && areAscending && symbols.first ?? 0 >= 0
      && symbols.last ?? -1 < nextSymbol && nextSymbol <= Int(Int32.max)
      && takes.allSatisfy { $0 >= 0 } && recent.count <= max(0, order)
  }

  mutating func define(takes: [Int]) {
    self = TakeHistory(order: order)
    for count in takes { add(takes: count) }
  }

  mutating func add(takes count: Int) {
    takes.append(max(0, count))
    symbols.append(nextSymbol)
    nextSymbol += 1
  }

  mutating func revise(_ option: Int, takes count: Int) {
    if takes.indices.contains(option) { takes[option] = max(0, count) }
  }

  mutating func remove(_ option: Int) {
    guard takes.indices.contains(option) else { return }
    takes.remove(at: option)
    symbols.remove(at: option)
    if takes.isEmpty { self = TakeHistory(order: order) }
  }

  mutating func take(_ option: Int) {
    guard takes.indices.contains(option) else { return }
    tree.record(symbols[option], after: recent)
    takes[option] = takes[option].addingCount(1)
    recent.append(symbols[option])
    if recent.count > order { recent.removeFirst() }
  }

  /// The contexts that the last takes end in and that were met before, the longest first.
  var contexts: [Int32] {
    var contexts: [Int32] = []
    contexts.reserveCapacity(recent.count)
    tree.forEachContext(ending: recent) { contexts.append($0) }
    return contexts.reversed()
  }

  /// Calls the closure with each option now present that followed the context, and how often it did.
  func forEachFollower(of context: Int32, _ body: (_ option: Int, _ count: Int) -> Void) {
    tree.forEachFollower(of: context) { symbol, count in
      if let option = option(of: symbol) { body(option, count) }
    }
  }

  private func option(of symbol: Int) -> Int? {
    var (low, high) = (0, symbols.count)
    while low < high {
      let middle = (low + high) / 2
      if symbols[middle] < symbol { low = middle + 1 } else { high = middle }
    }
    return low < symbols.count && symbols[low] == symbol ? low : nil
  }
}
