internal import EventLog
internal import Specifications

/// Unites the contexts of states into one in canonical form.
struct ContextUnion {
  private var names: [Vocabulary: Set<[UInt8]>] = [:]
  /// The experiment, point, slot and variant of arms; nil for none, and for every point or slot.
  private var arms: Set<NamedArm> = []
  private var values: Set<[UInt8]> = [[]]
  private var latest = Int64.min

  /// An arm by its names.
  private struct NamedArm: Hashable {
    var experiment: [UInt8]?
    var point: Part
    var slot: Part
    var variant: [UInt8]?
  }

  private enum Part: Hashable {
    case standard
    case every
    case named([UInt8])
  }

  /// Adds a context.
  ///
  /// - Throws: `StateError` if an arm has a code without a name.
  mutating func add(_ other: StateContext) throws(StateError) {
    for vocabulary in StateContext.vocabularies {
      for code in 1..<max(1, other.names.codeLimit(vocabulary)) {
        guard let name = other.names.bytes(code, in: vocabulary) else { continue }
        names[vocabulary, default: []].insert(Array(name))
      }
    }
    let standard = StandardNames(other.names)
    for arm in other.context.arms {
      arms.insert(
        NamedArm(
          experiment: try Self.name(arm.experiment, .experiments, other.names),
          point: try Self.part(arm.point, standard.point, .points, other.names),
          slot: try Self.part(arm.slot, standard.slot, .slots, other.names),
          variant: try Self.name(arm.variant, .variants, other.names)))
    }
    for value in other.context.values { values.insert(StateContext.key(value)) }
    latest = max(latest, other.context.latest)
  }

  private static func name(
    _ code: UInt32, _ vocabulary: Vocabulary, _ names: LogNames
  ) throws(StateError) -> [UInt8]? {
    guard code != 0 else { return nil }
    guard let name = names.bytes(code, in: vocabulary) else {
      throw StateError("an arm has an unknown code")
    }
    return Array(name)
  }

  private static func part(
    _ code: UInt32, _ standard: UInt32, _ vocabulary: Vocabulary, _ names: LogNames
  ) throws(StateError) -> Part {
    if code == 0 || code == standard { return .standard }
    if code == .max { return .every }
    return try name(code, vocabulary, names).map(Part.named) ?? .standard
  }

  /// Returns the union.
  ///
  /// - Throws: `StateError` if a name cannot be one of a log.
  func context() throws(StateError) -> StateContext {
    let kept = StateContext.vocabularies.flatMap { vocabulary in
      (names[vocabulary] ?? []).sorted { $0.lexicographicallyPrecedes($1) }.enumerated().map {
        LogNames.Kept(vocabulary, UInt32($0.offset + 1), $0.element)
      }
    }
    guard let names = LogNames(kept: kept, of: Set(StateContext.vocabularies)) else {
      throw StateError("a name is damaged")
    }
    let standard = StandardNames(names)
    let codes = arms.map { arm in
      Arm(
        experiment: Self.code(arm.experiment, .experiments, names),
        point: Self.code(arm.point, standard.point, .points, names),
        slot: Self.code(arm.slot, standard.slot, .slots, names),
        variant: Self.code(arm.variant, .variants, names))
    }
    let context = UnitContext(
      arms: codes.sorted {
        ($0.experiment, $0.point, $0.slot, $0.variant)
          < ($1.experiment, $1.point, $1.slot, $1.variant)
      },
      values: values.sorted { $0.lexicographicallyPrecedes($1) }.map { key in
        key.isEmpty ? .unknown : .text(String(decoding: key.dropFirst(), as: UTF8.self))
      }, latest: latest)
    return StateContext(names: names, context: context)
  }

  private static func code(
    _ name: [UInt8]?, _ vocabulary: Vocabulary, _ names: LogNames
  ) -> UInt32 {
    name.flatMap { names.code(ofBytes: $0[...], in: vocabulary) } ?? 0
  }

  private static func code(
    _ part: Part, _ standard: UInt32, _ vocabulary: Vocabulary, _ names: LogNames
  ) -> UInt32 {
    switch part {
    case .standard: standard
    case .every: .max
    case .named(let name): code(name, vocabulary, names)
    }
  }
}
