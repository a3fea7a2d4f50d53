internal import Specifications

/// Where a feature takes its value from.
public enum FeatureSource: Hashable, Sendable, CustomStringConvertible {
  /// An attribute of the context of the unit.
  case context(String)
  /// A feature of the variant.
  case features(String)
  /// The name of the variant.
  case variant
  /// The name of the slot.
  case slot

  /// Creates the source of a name: `variant`, `slot`, `features.NAME`, or `context.NAME`, which may be shortened to
  /// NAME.
  init(_ name: String) {
    if name == "variant" {
      self = .variant
    } else if name == "slot" {
      self = .slot
    } else if name.hasPrefix("features.") {
      self = .features(String(name.dropFirst("features.".count)))
    } else if name.hasPrefix("context.") {
      self = .context(String(name.dropFirst("context.".count)))
    } else {
      self = .context(name)
    }
  }

  /// Compares the UTF-8 bytes of names.
  public static func == (a: FeatureSource, b: FeatureSource) -> Bool {
    switch (a, b) {
    case (.context(let a), .context(let b)), (.features(let a), .features(let b)):
      a.isSameName(as: b)
    case (.variant, .variant), (.slot, .slot): true
    default: false
    }
  }

  /// Hashes the UTF-8 bytes of the name.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .context(let name): hasher.combine(NameKey(name))
    case .features(let name): hasher.combine(NameKey("features." + name))
    case .variant: hasher.combine(1)
    case .slot: hasher.combine(2)
    }
  }

  /// The name as in a specification.
  public var description: String {
    switch self {
    case .context(let name):
      FeatureSource(name) == self && !name.allSatisfy(\.isWholeNumber) ? name : "context." + name
    case .features(let name): "features." + name
    case .variant: "variant"
    case .slot: "slot"
    }
  }

  /// Whether the value is the same for all choices of a decision.
  public var isShared: Bool {
    switch self {
    case .context, .slot: true
    case .features, .variant: false
    }
  }
}
