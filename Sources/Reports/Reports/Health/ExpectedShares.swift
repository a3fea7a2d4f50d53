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
  /// no weight of 0 or more, or if all are percentages and not of a whole. The last equals sign counts: a name can
  /// contain one, a number cannot.
  package static func parse(_ text: String) -> [Share]? {
    let separators: [Character] = text.utf8.contains(UInt8(ascii: ";")) ? [";", ","] : [","]
    for separator in separators {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      let shares = parts.compactMap(Self.share)
      if shares.count == parts.count { return areWhole(shares, parts) ? shares : nil }
    }
    return nil
  }

  /// Whether percentages of the variants of one experiment add up to 100 %.
  private static func areWhole(_ shares: [Share], _ texts: [Substring]) -> Bool {
    guard texts.allSatisfy({ $0.hasSuffix("%") }), !shares.contains(where: { $0.name.contains("/") }) else {
      return true
    }
    return abs(shares.reduce(0) { $0 + $1.weight } - 1) < 0.0051
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

  /// The weights of variants, keyed by the bytes of their names. If a variant is given twice, the last weight counts.
  struct Weights {
    /// Those given for an experiment by name.
    fileprivate(set) var own: [NameKey: [[UInt8]: Double]] = [:]
    /// Those given for variants alone.
    fileprivate(set) var general: [[UInt8]: Double] = [:]

    /// Returns the weights of an experiment's variants: those given for the experiment by name, otherwise those given
    /// for variants alone if one of them was seen.
    ///
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - seen: The variants of the experiment that units were exposed to.
    /// - Returns: The weights; nil if none are given for the experiment.
    func weights(of experiment: String, seen: [String]) -> [[UInt8]: Double]? {
      if let own = own[NameKey(experiment)], own.values.contains(where: { $0 > 0 }) { return own }
      guard seen.contains(where: { general[Array($0.utf8)] != nil }),
        general.values.contains(where: { $0 > 0 })
      else { return nil }
      return general
    }
  }

  /// Returns the weights by what they are given for: `x/a` is the variant `a` of `x` only if `x` is one of the
  /// experiments of the log.
  func weights(among experiments: Set<NameKey>) -> Weights {
    var weights = Weights()
    for share in shares {
      let name = Array(share.name.utf8)
      var isGeneral = true
      for mark in name.indices where name[mark] == UInt8(ascii: "/") {
        let experiment = NameKey(String(decoding: name[..<mark], as: UTF8.self))
        guard experiments.contains(experiment) else { continue }
        weights.own[experiment, default: [:]][Array(name[(mark + 1)...])] = share.weight
        isGeneral = false
      }
      if isGeneral { weights.general[name] = share.weight }
    }
    return weights
  }
}
