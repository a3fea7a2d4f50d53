internal import DecidingCore
internal import Events

// The compact form of a session. Flags are in one number, the lowest bit first; what a flag says is absent is not
// written.

extension AgentSession {
  /// Writes the session.
  func write(to writer: inout CompactWriter) {
    writer.write(signed: last.microseconds)
    var flags: UInt64 = hasExpired ? 1 : 0
    if let eligibility { flags |= eligibility == .in ? 2 : 4 }
    if latest != nil { flags |= 8 }
    writer.write(flags)
    if let latest { writer.write(UInt64(latest)) }
    writer.write(UInt64(held.count))
    for choice in held { choice.write(to: &writer) }
    writer.write(UInt64(goals.count))
    for (goal, count) in goals.sorted(by: { $0.key < $1.key }) {
      writer.write(name: goal.rawValue)
      writer.write(signed: Int64(count))
    }
    writer.write(UInt64(exclusions.count))
    for exclusion in exclusions {
      writer.write(name: exclusion.point.rawValue)
      writer.write(name: exclusion.slot.rawValue)
      writer.write(name: exclusion.reason)
    }
  }

  /// Reads a session.
  init(from reader: inout CompactReader) throws(SnapshotProblem) {
    self.init(last: Timestamp(microseconds: try reader.signed()))
    let flags = try reader.number()
    hasExpired = flags & 1 != 0
    eligibility = flags & 2 != 0 ? .in : flags & 4 != 0 ? .out : nil
    if flags & 8 != 0 { latest = try reader.count() }
    for _ in 0..<(try reader.count()) { held.append(try HeldChoice(from: &reader)) }
    for _ in 0..<(try reader.count()) {
      let goal = GoalID(try reader.name())
      goals[goal] = Int(clamping: try reader.signed())
    }
    for _ in 0..<(try reader.count()) {
      exclusions.append(
        Exclusion(
          point: PointID(try reader.name()), slot: SlotID(try reader.name()),
          reason: try reader.name()))
    }
    if let latest, !held.indices.contains(latest) {
      throw SnapshotProblem("a session has no choice \(latest)")
    }
  }
}

extension HeldChoice {
  fileprivate func write(to writer: inout CompactWriter) {
    writer.write(name: point.rawValue)
    writer.write(name: slot.rawValue)
    writer.write((confirmed == nil ? 0 : 1) | (provisional == nil ? 0 : 2))
    confirmed?.write(to: &writer)
    provisional?.write(to: &writer)
  }

  fileprivate init(from reader: inout CompactReader) throws(SnapshotProblem) {
    self.init(point: PointID(try reader.name()), slot: SlotID(try reader.name()))
    let flags = try reader.number()
    if flags & 1 != 0 { confirmed = try Choice(from: &reader) }
    if flags & 2 != 0 { provisional = try Choice(from: &reader) }
  }
}

extension HeldChoice.Choice {
  fileprivate func write(to writer: inout CompactWriter) {
    writer.write(name: variant.rawValue)
    var flags: UInt64 = isForced ? 1 : 0
    if isRewarded { flags |= 2 }
    if propensity != nil { flags |= 4 }
    if policy != nil { flags |= 8 }
    if number != nil { flags |= 16 }
    if isPrefetched == true { flags |= 32 }
    writer.write(flags)
    if let propensity { writer.write(propensity) }
    if let policy { writer.write(name: policy.rawValue) }
    if let number { writer.write(signed: Int64(number)) }
    writer.write(name: segment.rawValue)
    writer.write(signed: Int64(epoch))
  }

  fileprivate init(from reader: inout CompactReader) throws(SnapshotProblem) {
    let variant = VariantID(try reader.name())
    let flags = try reader.number()
    let propensity = flags & 4 != 0 ? try reader.double() : nil
    let policy = flags & 8 != 0 ? PolicyID(try reader.name()) : nil
    let number = flags & 16 != 0 ? Int(clamping: try reader.signed()) : nil
    self.init(
      variant: variant, propensity: propensity, policy: policy, isForced: flags & 1 != 0,
      segment: TextKey(try reader.name()), number: number,
      epoch: Int(clamping: try reader.signed()),
      isRewarded: flags & 2 != 0, isPrefetched: flags & 32 != 0 ? true : nil)
  }
}
