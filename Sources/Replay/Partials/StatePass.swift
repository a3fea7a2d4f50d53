package import Specifications

/// The states of the projectors of one pass over units, as bytes, with the context of their codes.
package struct StatePass: Sendable, Equatable {
  /// The context, encoded; see ``StateContext``.
  package var context: [UInt8]
  /// The state of each projector.
  package var states: [[UInt8]]

  package func decodedContext() throws(StateError) -> StateContext {
    var reader = StateReader(context)
    return try StateContext(from: &reader)
  }

  /// Writes the pass.
  package func write(to writer: inout StateWriter) {
    StateContext.write(context, to: &writer)
    writer.write(UInt64(states.count))
    for state in states { StateContext.write(state, to: &writer) }
  }

  package init(context: [UInt8], states: [[UInt8]]) {
    self.context = context
    self.states = states
  }

  /// Reads a pass.
  ///
  /// - Throws: `StateError` if the bytes are not one.
  package init(from reader: inout StateReader) throws(StateError) {
    context = try StateContext.readBytes(&reader)
    states = []
    for _ in 0..<(try reader.readCount()) { states.append(try StateContext.readBytes(&reader)) }
  }

  /// Creates the pass of the states of some projectors, in canonical form.
  ///
  /// - Throws: `StateError` if a state cannot be written.
  init(_ slots: [any UnitSlotting], _ context: StateContext) throws(StateError) {
    let canonical = try StateContext(union: CollectionOfOne(context))
    var writer = StateWriter()
    canonical.write(to: &writer)
    self.context = writer.bytes
    let codes = try StateCodes(context, in: canonical)
    states = []
    for slot in slots { states.append(try slot.written(context.context, codes)) }
  }

  /// Adds the states to those of some projectors.
  ///
  /// - Throws: `StateError` if they are not states of these projectors.
  func add(to slots: [any UnitSlotting], _ codes: StateCodes) throws(StateError) {
    guard states.count == slots.count else {
      throw StateError("it has the states of \(states.count) projectors, not \(slots.count)")
    }
    for (slot, state) in zip(slots, states) {
      var reader = StateReader(state)
      try slot.add(&reader, codes)
      guard reader.isAtEnd else { throw StateError("a state is too long") }
    }
  }
}
