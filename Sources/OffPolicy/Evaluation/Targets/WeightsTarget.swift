public import Specifications

/// `weights:A=0.7;B=0.3`: variants in fixed proportions. Among the choices of a decision, each has its weight over the
/// sum of their weights; a variant without a weight is never chosen.
public struct WeightsTarget: TargetPolicy {
  public static let info = SpecificationInfo(
    "weights", "variants in fixed proportions, among the choices that there are",
    [SpecificationInfo.Parameter("NAME", nil, "weight of a variant; several as A=0.7;B=0.3")],
    source: "by definition", example: "weights:A=0.7;B=0.3")

  public var specification = Self.info.specification()

  /// Creates the policy that chooses no variant.
  public init() {}
  private var weights: [NameKey: Double] = [:]

  /// Creates the policy with weights by variant, which are finite, not negative and not all zero.
  ///
  /// - Throws: `SpecificationError` if they are anything else.
  public init(_ weights: [String: Double]) throws(SpecificationError) {
    try self.init(named: weights.map { (NameKey($0.key), $0.value) })
  }

  private init(named pairs: [(NameKey, Double)]) throws(SpecificationError) {
    let weights = Dictionary(pairs) { _, last in last }
    let sorted = weights.sorted { $0.key < $1.key }
    let texts = sorted.map {
      "\($0.key.text)=\(Specification.Parameter(key: "", number: $0.value).value)"
    }
    guard weights.values.allSatisfy({ $0 >= 0 && $0.isFinite }),
      weights.values.contains(where: { $0 > 0 })
    else {
      throw SpecificationError(
        "the weights \(texts.joined(separator: ";")) must be numbers from 0 on, one of them above 0"
      )
    }
    self.weights = weights
    let parts = texts.joined(separator: ";").split(separator: "=", maxSplits: 1)
    specification = Specification(
      Self.info.name, [.init(key: String(parts[0]), value: String(parts[1]))])
  }

  /// Creates the policy that a specification describes, whose keys are the names of variants.
  ///
  /// - Throws: `SpecificationError` if it has anything else than weights.
  public init(_ specification: Specification, _ files: PolicyFiles) throws(SpecificationError) {
    var weights: [NameKey: Double] = [:]
    for parameter in specification.parameters {
      // The parser took what follows the first name, further variants included, for one value.
      for part in "\(parameter.key)=\(parameter.value)".split(separator: ";") {
        let end = part.lastIndex(of: "=") ?? part.startIndex
        let name = String(part[..<end])
        guard !name.isEmpty, let weight = Double(part[end...].dropFirst()) else {
          throw SpecificationError(
            "\"\(part)\" in \"\(specification)\" is not a weight; write weights:A=0.7;B=0.3")
        }
        guard weights.updateValue(weight, forKey: NameKey(name)) == nil else {
          throw SpecificationError("\"\(name)\" has two weights in \"\(specification)\"; keep one")
        }
      }
    }
    try self.init(named: weights.map { ($0.key, $0.value) })
  }

  public var namedVariants: [String] {
    weights.filter { $0.value > 0 }.map(\.key.text).distinctNames
  }

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    let own = situation.choices.map { weights[NameKey($0)] ?? 0 }
    let sum = own.reduce(0, +)
    return sum > 0 ? own.map { $0 / sum } : own
  }
}
