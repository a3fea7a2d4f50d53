/// The takes of one study as contexts and their followers: the state of `markov`, `ppm` and `ctw`.
///
/// An option that is removed stays in the contexts that it was part of, but no longer counts as a follower.
///
/// - Complexity: memory O(options + contexts), as for ``ContextTree``.
struct TakeHistory: Equatable, Sendable {
  /// The length of the longest context.
  let order: Int
  /// The takes of each present option, including those of definitions: the followers of the empty context.
  private(set) var takes: [Int] = []
  /// The number of each present option, ascending.
  private var symbols: [Int] = []
  /// The number of the next option that is added.
  private var nextSymbol = 0
  /// The last takes, the most recent at the end.
  private var recent: [Int] = []
  /// The contexts at the end of the last takes, the shortest first; recomputed from these, so not encoded.
  private(set) var path: [Int32] = []
  private var tree = ContextTree()

  init(order: Int) { self.order = order }

  var isSound: Bool {
    let areAscending = zip(symbols, symbols.dropFirst()).allSatisfy { $0 < $1 }
    return symbols.count == takes.count && areAscending && symbols.first ?? 0 >= 0
      && symbols.last ?? -1 < nextSymbol && nextSymbol <= Int(Int32.max)
      && takes.allSatisfy { $0 >= 0 } && recent.count <= max(0, order)
  }

  /// The number of contexts; the one added last has the highest number.
  var contextCount: Int { tree.contextCount }

  mutating func apply(_ change: OptionChange) {
    if let option = change.removal(from: takes.count) { symbols.remove(at: option) }
    takes.apply(change)
    if change.startsAnew(leaving: takes.count) { forget() }
    while symbols.count < takes.count {
      symbols.append(nextSymbol)
      nextSymbol += 1
    }
  }

  @inline(__always)
  mutating func take(_ option: Int) {
    guard takes.indices.contains(option) else { return }
    let symbol = symbols[option]
    for context in path { tree.count(symbol, in: context) }
    takes[option] = takes[option].addingCount(1)
    move(to: symbol)
  }

  /// Adds a take before the first one: it is part of later contexts, but does not count as a follower.
  mutating func recall(_ option: Int) {
    if takes.indices.contains(option) { move(to: symbols[option]) }
  }

  /// Calls the closure with each present option that followed the context, and its count.
  @inline(__always)
  func forEachFollower(of context: Int32, _ body: (_ option: Int, _ count: Int) -> Void) {
    // As long as no option was removed, the number of each is its index.
    let arePlaces = nextSymbol == symbols.count
    tree.forEachFollower(of: context) { symbol, count in
      if arePlaces {
        if symbol < nextSymbol { body(symbol, count) }
      } else if let option = option(of: symbol) {
        body(option, count)
      }
    }
  }

  /// Discards what was learned, keeping the allocated memory.
  private mutating func forget() {
    symbols.removeAll(keepingCapacity: true)
    recent.removeAll(keepingCapacity: true)
    path.removeAll(keepingCapacity: true)
    nextSymbol = 0
    tree.removeAll()
  }

  /// Appends a take to the last ones.
  @inline(__always)
  private mutating func move(to symbol: Int) {
    guard order > 0 else { return }
    if recent.count < order {
      recent.append(symbol)
    } else {
      var span = recent.mutableSpan
      for place in 1..<span.count { span[place - 1] = span[place] }
      span[span.count - 1] = symbol
    }
    findPath()
  }

  @inline(__always)
  private mutating func findPath() {
    var context: Int32 = -1
    for length in 0..<recent.count {
      guard let deeper = tree.child(of: context, recent[recent.count - 1 - length]) else {
        path.removeLast(path.count - length)
        return
      }
      context = deeper
      if length < path.count { path[length] = context } else { path.append(context) }
    }
  }

  private func option(of symbol: Int) -> Int? {
    let place = symbols.firstPlace { $0 >= symbol }
    return place < symbols.count && symbols[place] == symbol ? place : nil
  }
}

/// The learning state of a predictor that counts what followed each context.
protocol HistoryLearning: UnitLearning {
  var history: TakeHistory { get set }
}

extension HistoryLearning {
  public var optionCount: Int { history.takes.count }

  public var isSound: Bool { history.isSound }

  /// Applies a change; what followed each context is kept when counts are revised.
  public mutating func apply(_ change: OptionChange, at time: Int64?) { history.apply(change) }

  @inline(__always)
  public mutating func take(_ option: Int, at time: Int64?) { history.take(option) }
}

extension TakeHistory: Codable {
  private enum CodingKeys: String, CodingKey {
    case order, takes, symbols, nextSymbol, recent, tree
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    order = try container.decode(Int.self, forKey: .order)
    takes = try container.decode([Int].self, forKey: .takes)
    symbols = try container.decode([Int].self, forKey: .symbols)
    nextSymbol = try container.decode(Int.self, forKey: .nextSymbol)
    recent = try container.decode([Int].self, forKey: .recent)
    tree = try container.decode(ContextTree.self, forKey: .tree)
    // More takes are rejected as not sound.
    if recent.count <= max(0, order) { findPath() }
  }
}
