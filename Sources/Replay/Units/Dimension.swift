internal import Specifications

/// A dimension by which results are broken down. A decision has its own value, even if it was confirmed later; for a
/// data point, the value known of its unit when the decision began to count.
///
/// Names are told apart by their UTF-8 bytes.
public enum Dimension: Sendable {
  /// An attribute of a decision's context.
  case context(String)
  /// The value of the unit's latest data point of a kind, and key if one is given.
  case data(kind: String, key: String?)
  /// The policy of a decision.
  case policy
  /// The reason of a decision.
  case reason
  /// The calendar day of a decision.
  case day
}

extension Dimension: Hashable {
  /// Compares the UTF-8 bytes of names.
  public static func == (a: Dimension, b: Dimension) -> Bool {
    switch (a, b) {
    case (.policy, .policy), (.reason, .reason), (.day, .day): true
    case (.context(let a), .context(let b)): a.isSameName(as: b)
    case (.data(let aKind, let aKey), .data(let bKind, let bKey)):
      aKind.isSameName(as: bKind) && aKey.map(NameKey.init) == bKey.map(NameKey.init)
    default: false
    }
  }

  /// Hashes the UTF-8 bytes of names.
  public func hash(into hasher: inout Hasher) { hasher.combine(NameKey(description)) }
}

extension Dimension: CustomStringConvertible {
  /// The forms of the text of a dimension, with names to replace in capitals.
  package static let forms = [
    "policy", "reason", "day", "context.NAME", "data.KIND", "data.KIND.KEY",
  ]

  /// Parses a dimension: `policy`, `reason`, `day`, `context.NAME`, `data.KIND` or `data.KIND.KEY`; nil if the text is
  /// none of these. The key may contain dots, the kind may not.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count > 1 ? String(parts[1]) : nil
    switch (parts[0], rest) {
    case ("policy", nil): self = .policy
    case ("reason", nil): self = .reason
    case ("day", nil): self = .day
    case ("context", let name?) where !name.isEmpty: self = .context(name)
    case ("data", let rest?) where !rest.isEmpty:
      let kind = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard !kind[0].isEmpty else { return nil }
      self = .data(kind: String(kind[0]), key: kind.count > 1 ? String(kind[1]) : nil)
    default: return nil
    }
  }

  /// The text of the dimension, which parses to the same dimension.
  public var description: String {
    switch self {
    case .policy: "policy"
    case .reason: "reason"
    case .day: "day"
    case .context(let name): "context.\(name)"
    case .data(let kind, let key): "data.\(kind)" + (key.map { ".\($0)" } ?? "")
    }
  }
}
