internal import EventLog
internal import Specifications

/// The codes of some names as those of the same names elsewhere.
struct ArmTranslation {
  /// By vocabulary and code, the code elsewhere; 0 for a code without a name.
  let codes: [Vocabulary: [UInt32]]
  private let standard: StandardNames

  /// Looks up all names.
  ///
  /// - Throws: `StateError` if the target lacks one of them.
  init(_ stored: LogNames, in target: LogNames) throws(StateError) {
    var names: [Vocabulary: [UInt32]] = [:]
    for vocabulary in StateContext.vocabularies {
      var codes = [UInt32](repeating: 0, count: Int(max(1, stored.codeLimit(vocabulary))))
      for code in codes.indices.dropFirst() {
        guard let name = stored.bytes(UInt32(code), in: vocabulary) else { continue }
        guard let found = target.code(ofBytes: name, in: vocabulary) else {
          throw StateError("a name of a state is missing")
        }
        codes[code] = found
      }
      names[vocabulary] = codes
    }
    codes = names
    standard = StandardNames(target)
  }

  /// Returns an arm with the codes elsewhere. A point or slot that is not given is the standard one.
  ///
  /// - Throws: `StateError` if a code has no name.
  func arm(_ arm: Arm) throws(StateError) -> Arm {
    Arm(
      experiment: try code(arm.experiment, .experiments),
      point: arm.point == 0 ? standard.point : try code(arm.point, .points),
      slot: arm.slot == 0 ? standard.slot : try code(arm.slot, .slots),
      variant: try code(arm.variant, .variants))
  }

  private func code(_ code: UInt32, _ vocabulary: Vocabulary) throws(StateError) -> UInt32 {
    // The point or slot of a goal that applies to all of them.
    if code == .max { return code }
    let codes = codes[vocabulary] ?? []
    guard code < codes.count else { throw StateError("an arm has an unknown code") }
    return codes[Int(code)]
  }
}
