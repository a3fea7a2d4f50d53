public import Statistics

extension GrowingRetentionProjector: RevisableUnitProjector {
  /// Takes units out again.
  public func subtract(_ other: State, from state: inout State) {
    state.old.table.subtract(other.old.table) { from, into in
      for day in from.indices { into[day].subtract(from[day]) }
    }
    state.old.ledger.subtract(other.old.ledger)
    for var units in other.young {
      units.count = 0 &- units.count
      state.young.append(units)
    }
  }

  /// Writes the counts of units that are old enough, the ledger, and every unit that is too young:
  ///
  ///     young = count, count × (arm, value, time, returned, number)
  ///     time  = microseconds since the one before; where the arm or value is another one, since 1970
  public func write(_ state: State, to writer: inout StateWriter) {
    state.old.table.write(to: &writer, where: { !$0.allSatisfy(\.isEmpty) }) { days, writer in
      for day in days {
        writer.write(tally: day.units)
        writer.write(tally: day.returned)
      }
    }
    for field in AssignmentLedger.fields { writer.write(tally: state.old.ledger[keyPath: field]) }
    let young = YoungUnits.settled(state.young)
    writer.write(UInt64(young.count))
    var last: YoungUnits?
    for units in young {
      let isSame = last?.arm == units.arm && last?.value == units.value
      writer.write(UInt64(units.arm))
      writer.write(UInt64(units.value))
      writer.write(signed: units.time &- (isSame ? last?.time ?? 0 : 0))
      writer.write(UInt64(units.returned))
      writer.write(tally: Int(units.count))
      last = units
    }
  }

  /// Reads them back. Units that have become old enough since then are counted as such.
  public func read(
    _ reader: inout StateReader, _ context: UnitContext
  ) throws(StateError) -> State {
    var state = makeState(context)
    let days = retention.days.count
    try state.old.table.read(
      from: &reader, subjects: context.arms.count, values: context.values.count
    ) { (reader) throws(StateError) in
      var tallies = Array(repeating: RetentionTally(), count: days)
      for day in tallies.indices {
        tallies[day].units = try reader.readTally()
        tallies[day].returned = try reader.readTally()
        guard tallies[day].returned <= tallies[day].units else {
          throw StateError("more units returned than there are")
        }
      }
      return tallies
    }
    for field in AssignmentLedger.fields {
      state.old.ledger[keyPath: field] = try reader.readTally()
    }
    var last: YoungUnits?
    for _ in 0..<(try reader.readCount()) {
      let units = try read(&reader, context, after: last)
      if isYoung(units.time, state) {
        state.young.append(units)
      } else {
        count(units, in: &state.old)
      }
      last = units
    }
    return state
  }

  private func read(
    _ reader: inout StateReader, _ context: UnitContext, after last: YoungUnits?
  ) throws(StateError) -> YoungUnits {
    let arm = UInt32(try reader.readCount(below: context.arms.count))
    let value = UInt32(try reader.readCount(below: context.values.count))
    let isSame = last?.arm == arm && last?.value == value
    let time = try reader.readSigned() &+ (isSame ? last?.time ?? 0 : 0)
    let returned = UInt32(try reader.readCount(below: 1 << retention.days.count))
    let count = Int32(try reader.readCount(below: 1 << 31))
    return YoungUnits(arm: arm, value: value, time: time, returned: returned, count: count)
  }
}
