import Arrow
import TestSupport

/// A stream with a column of every type that is written, of random values, and what must be read back.
struct WrittenStream {
  let bytes: [UInt8]
  /// The texts of ``ReadStream/text(_:_:)``, by column.
  private(set) var values: [[String]]

  private static let encoding = ArrowDictionaryEncoding(id: 7)
  static let schema = ArrowSchema(
    [
      ArrowField("flag", .boolean), ArrowField("byte", .integer(bits: 8, isSigned: true)),
      ArrowField("code", .utf8, dictionary: encoding), ArrowField("long", .int64),
      ArrowField("time", .timestamp(.microsecond, zone: "UTC")), ArrowField("number", .float64),
      ArrowField("text", .utf8),
      ArrowField("list", .list(ArrowField("item", .utf8), isLarge: false)),
      ArrowField(
        "map",
        .map(
          ArrowField(
            "entries",
            .structure([
              ArrowField("key", .utf8, isNullable: false), ArrowField("value", .float64),
            ]), isNullable: false))),
      ArrowField("nothing", .null),
    ], metadata: [.init(key: "who", value: "a test")])

  /// Writes batches of the given numbers of rows; the dictionary grows before each.
  init(_ random: inout SeededGenerator, rows: [Int], deltas: Bool = true) {
    let encoder = ArrowStreamEncoder(Self.schema)
    var bytes: [UInt8] = []
    var values = [[String]](repeating: [], count: Self.schema.fields.count)
    encoder.appendSchema(to: &bytes)
    var names: [String] = []
    for (index, count) in rows.enumerated() {
      let new = (0...random.index(3)).map { "name \(names.count + $0) é" }
      if deltas || index == 0 {
        names += new
        let texts = Texts(new.map { $0 })
        encoder.appendDictionary(7, texts.array, isDelta: index > 0, to: &bytes)
      }
      var columns: [ArrowArray] = []
      for (place, field) in Self.schema.fields.enumerated() {
        let (column, texts) = Self.column(field, count, names, &random)
        columns.append(column)
        values[place] += texts
      }
      encoder.appendBatch(columns, count: count, to: &bytes)
    }
    encoder.appendEnd(to: &bytes)
    self.bytes = bytes
    self.values = values
  }

  private static func column(
    _ field: ArrowField, _ count: Int, _ names: [String], _ random: inout SeededGenerator
  ) -> (ArrowArray, [String]) {
    if field.type == .null {
      return (ArrowArray(nulls: count), Array(repeating: "null", count: count))
    }
    var valid = ArrowBitmap()
    let share = random.pick([0, 0.5, 1], or: 1)
    for _ in 0..<count { valid.append(random.chance(share)) }
    let (column, texts) = filled(field, valid, names, &random)
    return (column, texts.enumerated().map { valid[$0.offset] ? $0.element : "null" })
  }

  private static func filled(
    _ field: ArrowField, _ valid: ArrowBitmap, _ names: [String], _ random: inout SeededGenerator
  ) -> (ArrowArray, [String]) {
    let count = valid.count
    switch field.name {
    case "flag":
      var bits = ArrowBitmap()
      for _ in 0..<count { bits.append(random.chance(0.5)) }
      return (ArrowArray(bits, valid: valid), (0..<count).map { "\(bits[$0])" })
    case "byte":
      let values = (0..<count).map { _ in Int8.random(in: .min ... .max, using: &random) }
      return (ArrowArray(values, valid: valid), values.map { "\($0)" })
    case "code":
      let codes = (0..<count).map { _ in Int32(random.index(names.count)) }
      return (ArrowArray(codes, valid: valid), codes.map { Texts.shown(names[Int($0)]) })
    case "long", "time":
      let values = (0..<count).map { _ in Int64.random(in: 0...1 << 50, using: &random) }
      return (ArrowArray(values, valid: valid), values.map { "\($0)" })
    case "number":
      let values = (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
      return (ArrowArray(values, valid: valid), values.map { "bits \($0.bitPattern)" })
    case "text":
      let texts = Texts((0..<count).map { _ in Texts.random(&random) })
      return (texts.array(valid), texts.shown)
    default: return nested(field, valid, &random)
    }
  }

  private static func nested(
    _ field: ArrowField, _ valid: ArrowBitmap, _ random: inout SeededGenerator
  ) -> (ArrowArray, [String]) {
    var ends: [Int32] = [0]
    for _ in 0..<valid.count { ends.append((ends.last ?? 0) + Int32(random.index(4))) }
    let total = Int(ends.last ?? 0)
    let texts = Texts((0..<total).map { _ in Texts.random(&random) })
    var elements = texts.array
    var shown = texts.shown
    if field.name == "map" {
      let numbers = (0..<total).map { Double($0) / 3 }
      elements = ArrowArray(fields: [elements, ArrowArray(numbers)], count: total)
      shown = zip(shown, numbers).map { "{\($0),bits \($1.bitPattern)}" }
    }
    let rows = zip(ends, ends.dropFirst()).map { start, end in
      "[" + shown[Int(start)..<Int(end)].joined(separator: ",") + "]"
    }
    return (ArrowArray(ends: ends, elements: elements, valid: valid), rows)
  }
}

/// Texts as a column.
struct Texts {
  let texts: [String]

  init(_ texts: [String]) { self.texts = texts }

  var array: ArrowArray { array(nil) }

  func array(_ valid: ArrowBitmap?) -> ArrowArray {
    var ends: [Int32] = [0]
    var bytes: [UInt8] = []
    for text in texts {
      bytes += Array(text.utf8)
      ends.append(Int32(bytes.count))
    }
    return ArrowArray(ends: ends, bytes: bytes, valid: valid)
  }

  var shown: [String] { texts.map { Self.shown($0) } }

  /// The bytes in hexadecimal.
  static func shown(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  static func random(_ random: inout SeededGenerator) -> String {
    String((0..<random.index(12)).map { _ in random.pick(Array("abcäé😀 x"), or: "x") })
  }
}
