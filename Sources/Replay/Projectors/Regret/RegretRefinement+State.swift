internal import Specifications

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
        var order = OrderHistogram(limit: rules.orderRanges)
        try order.read(from: &reader)
        state.orders[place, default: [:]][range] = order
      }
    }
    return state
  }
}
