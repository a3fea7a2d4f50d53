package import EventLog
internal import Specifications

/// The context of stored states, with the names that its codes stand for.
///
/// In canonical form names, arms and values are in bytewise order of their names, so that the same events have the same
/// codes whatever their order in a log.
package struct StateContext: Sendable {
  /// The names.
  package var names: LogNames
  /// The arms, values and end of the data, by codes of the names.
  package var context: UnitContext

  /// The vocabularies of the names: those of all reports.
  static let vocabularies: [Vocabulary] = [
    .experiments, .points, .slots, .variants, .policies, .reasons, .goals, .dataKinds, .keys,
    .systems, .attributes,
  ]

  /// The bytes that tell a value of the dimension from others; empty for the unknown one, otherwise with a byte before
  /// those of the text.
  static func key(_ value: DimensionValue) -> [UInt8] {
    value.text.map { [1] + Array($0.utf8) } ?? []
  }

  /// Creates the context of several others in canonical form.
  init(union contexts: some Sequence<StateContext>) throws(StateError) {
    var union = ContextUnion()
    for context in contexts { try union.add(context) }
    self = try union.context()
  }

  init(names: LogNames, context: UnitContext) {
    self.names = names
    self.context = context
  }

  /// Adds the names, arms and values of another context after the present ones, whose codes stay the same.
  mutating func append(_ other: StateContext) throws(StateError) {
    for vocabulary in Self.vocabularies {
      for code in 1..<max(1, other.names.codeLimit(vocabulary)) {
        guard let name = other.names.bytes(code, in: vocabulary),
          names.code(ofBytes: name, in: vocabulary) == nil
        else { continue }
        let kept = LogNames.Kept(vocabulary, names.codeLimit(vocabulary), Array(name))
        guard names.add(kept) else { throw StateError("a name is damaged") }
      }
    }
    var known = Set(context.values.map { Self.key($0) })
    for value in other.context.values where known.insert(Self.key(value)).inserted {
      context.values.append(value)
    }
    var arms = Set(context.arms)
    let translated = try ArmTranslation(other.names, in: names)
    for arm in other.context.arms {
      let mine = try translated.arm(arm)
      if arms.insert(mine).inserted { context.arms.append(mine) }
    }
    context.latest = max(context.latest, other.context.latest)
  }

  // MARK: Encoding

  /// Writes a context in canonical form.
  func write(to writer: inout StateWriter) {
    for vocabulary in Self.vocabularies {
      let limit = names.codeLimit(vocabulary)
      writer.write(UInt64(limit - 1))
      for code in 1..<max(1, limit) {
        Self.write(names.bytes(code, in: vocabulary).map(Array.init) ?? [], to: &writer)
      }
    }
    writer.write(UInt64(context.arms.count))
    for arm in context.arms {
      for code in [arm.experiment, arm.point, arm.slot, arm.variant] { writer.write(UInt64(code)) }
    }
    writer.write(UInt64(context.values.count))
    for value in context.values { Self.write(Self.key(value), to: &writer) }
    writer.write(signed: context.latest)
  }

  /// Reads a context.
  ///
  /// - Throws: `StateError` if the bytes are not one.
  init(from reader: inout StateReader) throws(StateError) {
    var kept: [LogNames.Kept] = []
    for vocabulary in Self.vocabularies {
      for code in 0..<(try reader.readCount(below: 1 << 31)) {
        kept.append(LogNames.Kept(vocabulary, UInt32(code + 1), try Self.readBytes(&reader)))
      }
    }
    guard let names = LogNames(kept: kept, of: Set(Self.vocabularies)) else {
      throw StateError("a name occurs twice")
    }
    var context = UnitContext(values: [])
    for _ in 0..<(try reader.readCount()) {
      var codes: [UInt32] = []
      for _ in 0..<4 { codes.append(UInt32(try reader.readCount(below: 1 << 32))) }
      context.arms.append(
        Arm(experiment: codes[0], point: codes[1], slot: codes[2], variant: codes[3]))
    }
    for _ in 0..<(try reader.readCount()) {
      let key = try Self.readBytes(&reader)
      context.values.append(
        key.isEmpty ? .unknown : .text(String(decoding: key.dropFirst(), as: UTF8.self)))
    }
    context.latest = try reader.readSigned()
    self.init(names: names, context: context)
  }

  static func write(_ bytes: [UInt8], to writer: inout StateWriter) {
    writer.write(UInt64(bytes.count))
    writer.write(bytes: bytes)
  }

  static func readBytes(_ reader: inout StateReader) throws(StateError) -> [UInt8] {
    try reader.readBytes(try reader.readCount(below: 1 << 40))
  }
}
