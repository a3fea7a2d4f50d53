/// The Krichevsky-Trofimov estimator, which adds one half to the count of every symbol.
///
/// R. Krichevsky and V. Trofimov, "The performance of universal encoding" (IEEE Transactions on Information Theory
/// 27, 1981), https://doi.org/10.1109/TIT.1981.1056331.
public enum KrichevskyTrofimov {
  /// Returns the probability that a symbol comes next: (count + ½)/(total + symbols/2).
  ///
  /// - Parameters:
  ///   - count: The count of the symbol; not negative.
  ///   - total: The count of all symbols; at least `count`.
  ///   - symbols: The size of the alphabet; positive.
  /// - Returns: The probability.
  public static func probability(count: Int, total: Int, symbols: Int = 2) -> Double {
    (Double(count) + 0.5) / (Double(total) + Double(symbols) / 2)
  }

  /// Returns the probability of any one sequence with these counts of symbols, which does not depend on their order:
  /// the product of the probabilities of its symbols, such as 3/8 for two zeros, counts 2 and 0.
  ///
  /// - Parameter counts: The count of each symbol; negative counts as zero.
  /// - Returns: The probability; 1 for an empty sequence, 0 if it underflows.
  /// - Complexity: O(length of the sequence).
  public static func probability(ofCounts counts: [Int]) -> Double {
    var (probability, total) = (1.0, 0)
    for count in counts where count > 0 {
      for seen in 0..<count {
        probability *= Self.probability(count: seen, total: total, symbols: counts.count)
        total += 1
      }
    }
    return probability
  }
}

/// Context tree weighting: the mixture of all tree sources up to a depth, each symbol predicted before it is learned.
///
/// F. Willems, Y. Shtarkov and T. Tjalkens, "The context-tree weighting method: basic properties" (IEEE Transactions
/// on Information Theory 41, 1995), https://doi.org/10.1109/18.382012. The weighted probability of a node is Pe at
/// the greatest depth and ½·Pe + ½·Π Pw(children) above, with Pe by ``KrichevskyTrofimov``. Only the ratio β = Pe/Π
/// Pw(children) of each node is stored, so that long sequences do not underflow: a symbol has the probability (β·p +
/// q)/(β + 1), where p is the node's own estimate and q the probability under the next deeper node.
///
/// The context is the last symbols, the most recent nearest to the root.
///
/// - Complexity: memory O(symbols) for each known context, at most depth + 1 new ones with each symbol.
public struct ContextTreeWeighting: Sendable {
  /// The size of the alphabet: symbols are 0 ..< symbols.
  public let symbols: Int
  /// The length of the longest context.
  public let depth: Int

  private struct Edge: Hashable {
    let node: Int
    let symbol: Int
  }

  private struct Node {
    var counts: [Int]
    var total = 0
    /// Pe divided by the product of the children's weighted probabilities.
    var ratio = 1.0
  }

  private var nodes: [Node]
  private var children: [Edge: Int] = [:]
  /// The last symbols, the latest at the end.
  private var recent: [Int]

  /// Creates a model without observations; nil unless there are at least two symbols and the depth is in 0 ... 64.
  ///
  /// - Parameters:
  ///   - symbols: The size of the alphabet.
  ///   - depth: The length of the longest context.
  ///   - past: The symbols before the first one, the latest at the end. If it is shorter than the depth, zeros are
  ///     assumed before it; invalid symbols count as zero.
  public init?(symbols: Int = 2, depth: Int, past: [Int] = []) {
    guard symbols >= 2, (0...64).contains(depth) else { return nil }
    (self.symbols, self.depth) = (symbols, depth)
    nodes = [Node(counts: [Int](repeating: 0, count: symbols))]
    let padded = [Int](repeating: 0, count: depth) + past
    recent = padded.suffix(depth).map { (0..<symbols).contains($0) ? $0 : 0 }
  }

  /// Returns the probability that each symbol comes next; they sum to 1.
  ///
  /// - Complexity: O(depth × symbols).
  public func probabilities() -> [Double] {
    let path = knownPath()
    return (0..<symbols).map { probabilities(of: $0, along: path)[0] }
  }

  /// Learns the next symbol.
  ///
  /// The product of the results is the weighted probability Pw of the sequence.
  ///
  /// - Parameter symbol: The symbol.
  /// - Returns: The probability that it had; nil, without learning, for an invalid symbol.
  /// - Complexity: O(depth).
  public mutating func learn(_ symbol: Int) -> Double? {
    guard (0..<symbols).contains(symbol) else { return nil }
    let path = grownPath()
    let weighted = probabilities(of: symbol, along: path)
    for (place, number) in path.enumerated() {
      if place + 1 < path.count {
        let ratio = nodes[number].ratio * own(symbol, number) / weighted[place + 1]
        // Beyond this one side of the mixture has no weight, and the ratio must stay finite.
        nodes[number].ratio = min(max(ratio, 0x1p-1000), 0x1p1000)
      }
      nodes[number].counts[symbol] += 1
      nodes[number].total += 1
    }
    if depth > 0 {
      recent.removeFirst()
      recent.append(symbol)
    }
    return weighted[0]
  }

  /// Returns the probability of the symbol at each node of a path, the deepest weighted first. A missing node has no
  /// counts and gives each symbol the same probability.
  private func probabilities(of symbol: Int, along path: [Int]) -> [Double] {
    var result = path.map { own(symbol, $0) }
    var deeper = path.count > depth ? nil : 1 / Double(symbols)
    for place in path.indices.reversed() {
      if let deeper {
        let ratio = nodes[path[place]].ratio
        result[place] = (ratio * result[place] + deeper) / (ratio + 1)
      }
      deeper = result[place]
    }
    return result
  }

  private func own(_ symbol: Int, _ number: Int) -> Double {
    KrichevskyTrofimov.probability(
      count: nodes[number].counts[symbol], total: nodes[number].total, symbols: symbols)
  }

  /// Returns the existing nodes from the root along the context.
  private func knownPath() -> [Int] {
    var path = [0]
    for symbol in recent.reversed() {
      guard let child = children[Edge(node: path[path.count - 1], symbol: symbol)] else { break }
      path.append(child)
    }
    return path
  }

  /// Returns the nodes from the root along the whole context, adding missing ones.
  private mutating func grownPath() -> [Int] {
    var path = knownPath()
    for symbol in recent.reversed().dropFirst(path.count - 1) {
      children[Edge(node: path[path.count - 1], symbol: symbol)] = nodes.count
      path.append(nodes.count)
      nodes.append(Node(counts: [Int](repeating: 0, count: symbols)))
    }
    return path
  }
}
