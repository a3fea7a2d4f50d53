internal import Specifications

/// The intended shares of units among the variants of experiments, as given by the user.
public struct ExpectedShares: Equatable, Sendable {
  /// The share of a variant or of `experiment/variant`.
  package struct Share: Equatable, Sendable {
    package var name: String
    package var weight: Double
  }

  private var shares: [Share] = []

  /// Creates shares without any entry.
  public init() {}

  /// Creates shares by the names of variants, which are the same in every experiment that has them.
  public init(_ shares: [String: Double]) {
    self.shares = shares.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      Share(name: $0.key, weight: $0.value)
    }
  }

  /// Parses shares from texts such as `a=1,b=1` or `checkout/a=1,checkout/b=3`; nil if one has no name or no weight
  /// of 0 or more, or if all weights are 0.
  public init?(_ texts: [String]) {
    for text in texts {
      guard let parsed = Self.parse(text) else { return nil }
      shares += parsed
    }
    guard shares.isEmpty || shares.contains(where: { $0.weight > 0 }) else { return nil }
  }

  /// Parses shares separated by commas, or by semicolons, such as `a=1,b=1` or `a=50%;b=50%`; nil if one has no name or
  /// no weight of 0 or more. The last equals sign counts: a name can contain one, a number cannot.
  package static func parse(_ text: String) -> [Share]? {
    let separators: [Character] = text.utf8.contains(UInt8(ascii: ";")) ? [";", ","] : [","]
    for separator in separators {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      let shares = parts.compactMap(Self.share)
      if shares.count == parts.count { return shares }
    }
    return nil
  }

  private static func share(_ text: Substring) -> Share? {
    guard let mark = text.lastIndex(of: "="), mark > text.startIndex,
      let weight = WrittenValue.number(text[text.index(after: mark)...]), weight >= 0,
      weight.isFinite
    else { return nil }
    return Share(name: String(text[..<mark]), weight: weight)
  }

  /// Whether no shares are given.
  public var isEmpty: Bool { shares.isEmpty }

  /// The names with shares, `variant` or `experiment/variant`, in the order given.
  package var names: [String] { shares.map(\.name) }

  /// Returns the weights of an experiment's variants, keyed by the bytes of their names: those given for the
  /// experiment by name, otherwise those given for variants alone if one of them was seen. If a variant is given
  /// twice, the last weight counts.
  ///
  /// - Parameters:
  ///   - experiment: The experiment.
  ///   - experiments: All experiments of the log: `x/a` is the variant `a` of `x` only if `x` is one.
  ///   - seen: The variants of the experiment that units were exposed to.
  /// - Returns: The weights; nil if none are given for the experiment.
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
