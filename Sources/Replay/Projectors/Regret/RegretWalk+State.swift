internal import Specifications
internal import Statistics

// Places are those of the plan, which all parts of a computation have in common.

extension RegretWalk {
  func write(_ state: State, to writer: inout StateWriter) {
    for place in state.places {
      writer.write(UInt64(place.rewards.count))
      for sum in place.rewards { sum.write(to: &writer) }
      writer.write(UInt64(place.kept.count))
      for kept in place.kept.sorted(by: { $0.key < $1.key }) {
        writer.write(wide: kept.key.moment)
        writer.write(UInt64(kept.key.index))
        writer.write(UInt64(kept.arm))
        writer.write(UInt64(kept.reward.count))
        for number in kept.reward { writer.write(number) }
      }
    }
    state.counts.write(to: &writer, where: { !$0.isEmpty }) { counts, writer in
      writer.write(UInt64(counts.count))
      for count in counts { writer.write(tally: count) }
    }
  }

  func read(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) -> State {
    var state = makeState(codes.context)
    var mostGaps = 0
    for index in state.places.indices {
      let gaps = plan.places[index].ranges.count + 1
      mostGaps = max(mostGaps, gaps)
      let count = try reader.readCount()
      guard count == 0 || count == gaps else { throw StateError("a curve has another length") }
      for _ in 0..<count { state.places[index].rewards.append(try ExactSum(from: &reader)) }
      for _ in 0..<(try reader.readCount()) {
        state.places[index].kept.append(try Kept(from: &reader, codes))
      }
    }
    let limit = mostGaps + 1
    try state.counts.read(from: &reader, codes) { (reader) throws(StateError) in
      var counts: [Int] = []
      for _ in 0..<(try reader.readCount(below: limit)) { counts.append(try reader.readTally()) }
      return counts
    }
    return state
  }
}

extension RegretWalk.Kept {
  fileprivate init(from reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    let moment = try reader.readWide()
    key = DecisionOrder.Key(
      moment: moment, index: UInt32(try reader.readCount(below: 1 << 32)))
    arm = try codes.readArm(&reader)
    reward = []
    for _ in 0..<(try reader.readCount(below: 1 << 16)) { reward.append(try reader.readDouble()) }
  }
}

extension RegretRefinement {
  func write(_ state: State, to writer: inout StateWriter) {
    writer.write(UInt64(state.orders.count))
    for (place, orders) in state.orders.sorted(by: { $0.key < $1.key }) {
      writer.write(UInt64(place))
      writer.write(UInt64(orders.count))
      for (range, order) in orders.sorted(by: { $0.key < $1.key }) {
        writer.write(UInt64(range))
        order.write(to: &writer)
      }
    }
  }

  func read(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) -> State {
    var state = makeState(codes.context)
    for _ in 0..<(try reader.readCount(below: plan.places.count + 1)) {
      let place = try reader.readCount(below: plan.places.count)
      let ranges = plan.places[place].ranges.count
      for _ in 0..<(try reader.readCount(below: ranges + 1)) {
        let range = try reader.readCount(below: ranges)
        state.orders[place, default: [:]][range] = try OrderHistogram(
          from: &reader, limit: rules.orderRanges)
      }
    }
    return state
  }
}
