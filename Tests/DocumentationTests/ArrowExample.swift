import Arrow
import Testing

/// The example of the catalogue of `Arrow`.
@Suite("Example of Arrow")
struct ArrowExample {
  @Test("the example runs")
  func example() throws {
    let shown = Shown()
    func print(_ items: Any...) { shown.print(items) }
    let schema = ArrowSchema([
      ArrowField("unit", .utf8), ArrowField("value", .float64),
    ])
    let encoder = ArrowStreamEncoder(schema)
    var bytes: [UInt8] = []
    encoder.appendSchema(to: &bytes)
    let units = ArrowArray(ends: [0, 2, 4], bytes: Array("u1u2".utf8))
    encoder.appendBatch([units, ArrowArray([0.5, 1.5])], count: 2, to: &bytes)
    encoder.appendEnd(to: &bytes)

    var decoder = ArrowStreamDecoder()
    var rest = bytes[...]
    while case .metadata(let count) = try ArrowPrefix(rest.prefix(8)) {
      let message = try ArrowMessage(metadata: rest.dropFirst(8).prefix(count))
      let body = Array(rest.dropFirst(8 + count).prefix(message.bodyCount))
      rest = rest.dropFirst(8 + count + body.count)
      if case .batch(let batch) = try decoder.decode(message, body: body) {
        print(batch.count, batch.columns[1].number(1))
      }
    }
    #expect(shown.lines == ["2 1.5"])
  }
}
