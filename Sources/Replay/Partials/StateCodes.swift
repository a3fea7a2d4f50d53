public import EventLog
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

  /// Reads the index of an arm.
  ///
  /// - Throws: `StateError` if there is no such arm.
  public func readArm(_ reader: inout StateReader) throws(StateError) -> UInt32 {
    try Self.read(&reader, arms, limit: context.arms.count)
  }

  /// Reads the index of a value of the dimension.
  ///
  /// - Throws: `StateError` if there is no such value.
  public func readValue(_ reader: inout StateReader) throws(StateError) -> UInt32 {
    try Self.read(&reader, values, limit: context.values.count)
  }

  /// Reads the code of a name; 0 stands for none.
  ///
  /// - Throws: `StateError` if there is no such name.
  public func readName(
    _ vocabulary: Vocabulary, _ reader: inout StateReader
  ) throws(StateError) -> UInt32 {
    try Self.read(&reader, names.map { $0[vocabulary] ?? [] }, limit: 1 << 32)
  }

  private static func read(
    _ reader: inout StateReader, _ codes: [UInt32]?, limit: Int
  ) throws(StateError) -> UInt32 {
    guard let codes else { return UInt32(try reader.readCount(below: limit)) }
    return codes[try reader.readCount(below: codes.count)]
  }

  /// By index among the keys of the stored arms, the index among those of the context's arms, given the keys of arms
  /// in order of their first appearance, such as places or variants; nil if both are equal.
  func indices<Key: Hashable>(
    _ keys: ([Arm]) -> [Key]
  ) throws(StateError) -> [UInt32]? {
    arms == nil ? nil : try Self.places(of: keys(storedArms), in: keys(context.arms))
  }
}
