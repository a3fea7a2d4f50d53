package import EventLog
public import Specifications

/// The codes in a stored state, as those of the context that it is read into: its arms, values of the dimension and
/// names may be numbered differently there.
///
/// A state of the same log is read with the codes that it was written with; see ``init(_:)``.
public struct StateCodes: Sendable {
  /// The context that the state is read into.
  public let context: UnitContext
  /// The arms of the stored state, with the codes of the context.
  let storedArms: [Arm]
  /// By stored index, the index in the context; nil if both are equal.
  private var arms: [UInt32]?
  private var values: [UInt32]?
  /// By stored code, the code in the context; nil if all are equal.
  private var names: [Vocabulary: [UInt32]]?

  /// Creates the codes of a state that was written with a context whose arms and values are a prefix of this one's.
  public init(_ context: UnitContext) {
    self.context = context
    storedArms = context.arms
  }

  /// Creates the codes of a state that was written with other names.
  ///
  /// - Throws: `StateError` if the target lacks a name, an arm or a value.
  init(_ stored: StateContext, in target: StateContext) throws(StateError) {
    let translation = try ArmTranslation(stored.names, in: target.names)
    var arms: [Arm] = []
    for arm in stored.context.arms { arms.append(try translation.arm(arm)) }
    context = target.context
    storedArms = arms
    names = translation.codes
    self.arms = try Self.places(of: arms, in: target.context.arms)
    values = try Self.places(
      of: stored.context.values.map { StateContext.key($0) },
      in: target.context.values.map { StateContext.key($0) })
  }

  private static func places<Key: Hashable>(
    of stored: [Key], in target: [Key]
  ) throws(StateError) -> [UInt32] {
    var places: [Key: UInt32] = [:]
    for (place, key) in target.enumerated() { places[key] = UInt32(place) }
    var found: [UInt32] = []
    for key in stored {
      guard let place = places[key] else { throw StateError("an arm or value is missing") }
      found.append(place)
    }
    return found
  }

  // MARK: Translating

  /// Reads the fields of a state, whose codes are translated.
  ///
  /// - Throws: `StateError` if the bytes are not such fields.
  public func read(
    _ fields: inout some StateField, from reader: inout StateReader
  ) throws(StateError) {
    reader.translate = { (space) throws(StateError) in try translation(of: space) }
    try fields.read(from: &reader)
  }

  private func translation(of space: CodeSpace) throws(StateError) -> CodeTranslation {
    switch space {
    case .arms: CodeTranslation(arms, limit: context.arms.count)
    case .values, .loggers: CodeTranslation(values, limit: context.values.count)
    case .places: try translation { Places($0).names }
    case .assignedVariants: try translation { AssignedVariants.variants($0).variants }
    default: CodeTranslation(names.map { $0[space.vocabulary ?? .units] ?? [] })
    }
  }

  /// Returns the translation of indices among keys of arms in order of their first appearance.
  private func translation(
    _ keys: ([Arm]) -> [Arm]
  ) throws(StateError) -> CodeTranslation {
    let stored = keys(storedArms)
    return CodeTranslation(
      arms == nil ? nil : try Self.places(of: stored, in: keys(context.arms)), limit: stored.count)
  }
}

extension CodeSpace {
  /// Indices of arms.
  static let arms = CodeSpace(1)
  /// Indices of values of the dimension.
  package static let values = CodeSpace(2)
  /// Numbers of places: experiment, point and slot.
  package static let places = CodeSpace(3)
  /// Numbers of the variants of experiments, whatever their point and slot.
  static let assignedVariants = CodeSpace(4)
  /// Numbers of the segments of a table that was read before.
  static let segments = CodeSpace(5)

  /// The codes of names; 0 stands for none.
  package static func names(_ vocabulary: Vocabulary) -> CodeSpace {
    CodeSpace(firstName + Int(vocabulary.rawValue))
  }

  /// The vocabulary of the codes of names; nil for others.
  fileprivate var vocabulary: Vocabulary? {
    Vocabulary.allCases.first { CodeSpace.names($0) == self }
  }

  private static let firstName = 8
}
