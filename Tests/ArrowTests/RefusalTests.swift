import Arrow
import TestSupport
import Testing

@Suite("Arrow streams that are refused")
struct RefusalTests {
  private func failure(_ bytes: [UInt8]) -> ArrowError? {
    do {
      _ = try ReadStream(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func stream(
    _ field: ArrowField, _ column: ArrowArray, count: Int, dictionary: ArrowArray? = nil
  ) -> [UInt8] {
    let encoder = ArrowStreamEncoder(ArrowSchema([field]))
    var bytes: [UInt8] = []
    encoder.appendSchema(to: &bytes)
    if let dictionary { encoder.appendDictionary(1, dictionary, to: &bytes) }
    encoder.appendBatch([column], count: count, to: &bytes)
    return bytes
  }

  private static let coded = ArrowField(
    "a", .utf8, dictionary: ArrowDictionaryEncoding(id: 1))

  @Test("offsets that descend, or end outside of the values, name the message and the column")
  func offsets() {
    for ends in [[0, 2, 1], [0, 1, 9], [-1, 0, 1]] as [[Int32]] {
      let column = ArrowArray(ends: ends, bytes: [0x61, 0x62])
      #expect(
        failure(stream(ArrowField("a", .utf8), column, count: 2))
          == ArrowError(
            .malformed,
            "message 2: column \"a\": its offsets do not ascend, or end outside of its values"))
    }
  }

  @Test("an index outside of its dictionary, and a dictionary that was not sent")
  func indices() {
    let column = ArrowArray([Int32(0), 2])
    #expect(
      failure(stream(Self.coded, column, count: 2, dictionary: Texts(["x", "y"]).array))?
        .description
        == "message 3: column \"a\": row 1 has the index 2 and its dictionary 2 values")
    #expect(
      failure(stream(Self.coded, column, count: 2))?.description
        == "message 2: column \"a\": its dictionary 1 was not sent before it is used")
  }

  @Test("texts that are not UTF-8, also where only the cut between two is wrong")
  func encoding() {
    let wrong = ArrowArray(ends: [0, 1], bytes: [0xFF])
    #expect(
      failure(stream(ArrowField("a", .utf8), wrong, count: 1))?.description
        == "message 2: column \"a\": the text of row 0 is not UTF-8")
    let cut = ArrowArray(ends: [0, 1, 2], bytes: Array("é".utf8))
    #expect(failure(stream(ArrowField("a", .utf8), cut, count: 2))?.code == .malformed)
    #expect(failure(stream(ArrowField("a", .binary(isLarge: false)), cut, count: 2)) == nil)
  }

  @Test("more rows than the bytes of a batch can hold")
  func rows() {
    let column = ArrowArray(nulls: 1 << 40)
    #expect(failure(stream(ArrowField("a", .null), column, count: 1 << 40))?.code == .malformed)
    let short = ArrowArray([Int64(1)])
    #expect(
      failure(stream(ArrowField("a", .int64), short, count: 2))?.description
        == "message 2: column \"a\": it has 1 rows where 2 belong")
  }

  @Test("a schema nested too deeply, and a second one")
  func schemas() {
    var type = ArrowType.int64
    for _ in 0..<40 { type = .list(ArrowField("item", type), isLarge: false) }
    let encoder = ArrowStreamEncoder(ArrowSchema([ArrowField("a", type)]))
    var bytes: [UInt8] = []
    encoder.appendSchema(to: &bytes)
    #expect(failure(bytes)?.code == .tooLarge)
    let flat = ArrowStreamEncoder(ArrowSchema([ArrowField("a", .int64)]))
    bytes = []
    flat.appendSchema(to: &bytes)
    flat.appendSchema(to: &bytes)
    #expect(failure(bytes)?.description == "message 2: it is a second schema")
  }

  @Test("a batch that claims more bytes than are allowed is refused before any is read")
  func claims() throws {
    #expect(throws: ArrowError.self) {
      _ = try ArrowPrefix([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
    }
    #expect(throws: ArrowError.self) { _ = try ArrowPrefix([1, 2, 3, 4, 0, 0, 0, 0]) }
    #expect(throws: ArrowError.self) { _ = try ArrowPrefix([0xFF]) }
  }
}
