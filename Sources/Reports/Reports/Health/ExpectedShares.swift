/// How the variants of experiments were meant to share the units, as somebody says.
public struct ExpectedShares: Equatable, Sendable {
  /// A share that somebody gives, of a variant or of `experiment/variant`.
  private struct Share: Equatable {
    var name: String
    var weight: Double
  }

  private var shares: [Share] = []

  /// Nothing is said.
  public init() {}

  /// Shares from texts such as `a=1,b=1` or `checkout/a=1,checkout/b=3`; nil when one has no name or no weight of 0 or
  /// more, or when all weights are 0.
  public init?(_ texts: [String]) {
    for part in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      guard let mark = part.lastIndex(of: "="), mark > part.startIndex,
        let weight = Double(part[part.index(after: mark)...]), weight >= 0, weight.isFinite
      else { return nil }
      shares.append(Share(name: String(part[..<mark]), weight: weight))
    }
    guard shares.isEmpty || shares.contains(where: { $0.weight > 0 }) else { return nil }
  }

  /// Whether nothing is said.
  public var isEmpty: Bool { shares.isEmpty }

  /// The names that shares were given for, `variant` or `experiment/variant`, in the order given.
  package var names: [String] { shares.map(\.name) }

  /// The weights of the variants of an experiment, by the bytes of their names: those given for the experiment by name,
  /// otherwise those given for variants alone if one of them was seen. A variant that is given twice has the last
  /// weight.
  ///
  /// - Parameters:
  ///   - experiment: The experiment.
  ///   - experiments: All experiments of the log: `x/a` is the variant `a` of `x` only where `x` is one.
  ///   - seen: The variants of the experiment that units were exposed to.
  /// - Returns: nil when nothing is said of the experiment.
  func weights(of experiment: String, among experiments: [String], seen: [String])
    -> [[UInt8]: Double]?
  {
    var own: [[UInt8]: Double] = [:]
    var general: [[UInt8]: Double] = [:]
    for share in shares {
      let name = Array(share.name.utf8)
      let prefix = Array((experiment + "/").utf8)
      if name.starts(with: prefix) {
        own[Array(name[prefix.count...])] = share.weight
      } else if !experiments.contains(where: { name.starts(with: ($0 + "/").utf8) }) {
        general[name] = share.weight
      }
    }
    if own.values.contains(where: { $0 > 0 }) { return own }
    guard seen.contains(where: { general[Array($0.utf8)] != nil }),
      general.values.contains(where: { $0 > 0 })
    else { return nil }
    return general
  }
}
