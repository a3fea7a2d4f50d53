import Arrow
import Events
import TestSupport
import Testing

@testable import Interchange

/// Each type of columns in each use is the right value, or an error that names the column and its type. The samples of
/// the command's tests do the same with the columns of pyarrow, of all types.
@Suite("Types of Arrow columns and what they are used for")
struct ArrowTypesTests {
  private static let micros = ArrowField("time", .timestamp(.microsecond, zone: "UTC"))
  private static let start: Int64 = 1_767_607_200_000_000

  /// Imports one row with a column `x`, and returns what follows the unit in the event, or the errors.
  private func imported(
    _ type: ArrowType, _ column: ArrowArray, mapping: [String], dictionary: ArrowArray? = nil
  ) throws -> String {
    var field = ArrowField("x", type)
    if dictionary != nil { field.dictionary = ArrowDictionaryEncoding(id: 1) }
    let times = ArrowArray([Self.start])
    let table = ArrowTable(1).adding(Self.micros, times).adding("user", "u").adding(field, column)
    let hasTime = mapping.contains { $0.hasPrefix("time=") }
    let entries = (hasTime ? [] : ["time=time"]) + ["unit=user", "experiment:=e"] + mapping
    return try read(table.bytes(dictionary), EventMapping(entries))
  }

  private func read(_ bytes: [UInt8], _ mapping: EventMapping? = nil) throws -> String {
    do {
      let found = try Imported(bytes, format: "auto", mapping: mapping)
      return (found.events + found.rejected).joined(separator: "\n")
    } catch let error as ImportError {
      return error.description
    }
  }

  private func list(_ elements: ArrowArray) -> ArrowArray {
    ArrowArray(ends: [0, Int32(elements.count)], elements: elements)
  }

  private static let texts = ArrowType.list(ArrowField("item", .utf8), isLarge: false)
  private static let numbers = ArrowType.list(ArrowField("item", .float64), isLarge: false)

  @Test("lists are choices, probabilities, and the text of their JSON")
  func lists() throws {
    let (names, shares) = (list(ArrowTable.array(["A", "B"])), list(ArrowArray([0.25, 0.75])))
    #expect(
      try imported(Self.texts, names, mapping: ["variant:=A", "choices=x"])
        .contains(#""choices":["A","B"]"#))
    #expect(
      try imported(Self.numbers, shares, mapping: ["variant:=A", "probabilities=x"])
        .contains(#""probabilities":[0.25,0.75]"#))
    #expect(
      try imported(Self.numbers, shares, mapping: ["variant:=A", "context.a=x"])
        .contains(#""context":{"a":"[0.25,0.75]"}"#))
  }

  @Test("a list in a dictionary is that list, in mapped columns and in those of events")
  func listsInDictionaries() throws {
    let values = ArrowArray(ends: [0, 1, 3], elements: ArrowTable.array(["Z", "A", "B"]))
    let found = try imported(
      Self.texts, ArrowArray([Int32(1)]), mapping: ["variant:=A", "choices=x"], dictionary: values)
    #expect(found.contains(#""choices":["A","B"]"#))
    var field = ArrowField("choices", Self.texts)
    field.dictionary = ArrowDictionaryEncoding(id: 1)
    let table = decision.adding(field, ArrowArray([Int32(1)]))
    #expect(try read(table.bytes(values)).contains(#""choices":["A","B"]"#))
  }

  private var decision: ArrowTable {
    ArrowTable(1).adding("type", "decision").adding(Self.micros, ArrowArray([Self.start]))
      .adding("unit", "u").adding("experiment", "e").adding("variant", "A")
  }

  @Test("times, truth values and numbers in a dictionary are these, and not its indices")
  func dictionaries() throws {
    var field = ArrowField("time", .timestamp(.second, zone: nil))
    field.dictionary = ArrowDictionaryEncoding(id: 1)
    let table = ArrowTable(1).adding("type", "conversion").adding("unit", "u")
      .adding("goal", "g").adding(field, ArrowArray([Int32(1)]))
    let found = try read(table.bytes(ArrowArray([Int64(0), 1_767_607_200])))
    #expect(found.contains(#""time":"2026-01-05T10:00:00Z""#))
    var flag = ArrowField("negative", .boolean)
    flag.dictionary = ArrowDictionaryEncoding(id: 1)
    let base = ArrowTable(1).adding("type", "conversion").adding("unit", "u").adding("goal", "g")
      .adding(Self.micros, ArrowArray([Self.start])).adding(flag, ArrowArray([Int32(1)]))
    var flags = ArrowBitmap()
    for value in [false, true] { flags.append(value) }
    #expect(try read(base.bytes(ArrowArray(flags))).contains(#""negative":true"#))
  }

  @Test("a null of a dictionary is null")
  func nullsInDictionaries() throws {
    let values = ArrowTable.array([nil, "B"])
    let index = ArrowArray([Int32(0)])
    var field = ArrowField("policy", .utf8)
    field.dictionary = ArrowDictionaryEncoding(id: 1)
    #expect(!(try read(decision.adding(field, index).bytes(values)).contains("policy")))
    field.name = "context.a"
    #expect(!(try read(decision.adding(field, index).bytes(values)).contains("context")))
    let found = try imported(
      .utf8, index, mapping: ["variant:=A", "context.a=x", "policy=x"], dictionary: values)
    #expect(found.hasSuffix(#""variant":"A"}"#), "\(found)")
  }

  @Test("decimals of all widths, beyond 64 bits without loss where they are whole")
  func decimals() throws {
    let limbs: [(Int, [UInt64], Int, String)] = [
      (128, [150, 0], 2, "1.5"), (256, [150, 0, 0, 0], 2, "1.5"),
      (256, [UInt64.max, UInt64.max, UInt64.max, UInt64.max], 2, "-0.01"),
      (256, [0, 1, 0, 0], 0, #""18446744073709551616""#),
      (128, [9_007_199_254_740_993, 0], 0, "9007199254740993"),
    ]
    for (bits, words, scale, wanted) in limbs {
      let type = ArrowType.decimal(bits: bits, scale: scale)
      let column =
        bits == 128
        ? ArrowArray([Words2(a: words[0], b: words[1])])
        : ArrowArray([Words4(a: words[0], b: words[1], c: words[2], d: words[3])])
      let found = try imported(type, column, mapping: ["variant:=A", "context.a=x"])
      #expect(found.contains("\"context\":{\"a\":\(wanted)}"), "\(found)")
      let own = try read(decision.adding(ArrowField("context.a", type), column).bytes)
      #expect(own.contains("\"context\":{\"a\":\(wanted)}"), "\(own)")
    }
  }

  /// The bytes of decimals.
  private struct Words2: BitwiseCopyable { let a, b: UInt64 }
  private struct Words4: BitwiseCopyable { let a, b, c, d: UInt64 }

  @Test(
    "a column whose type the mapped field cannot have is refused with both names and what to do")
  func refusedByMapping() throws {
    let record = ArrowType.structure([ArrowField("a", .float64)])
    let inner = ArrowArray(fields: [ArrowArray([1.0])], count: 1)
    let seconds = ArrowArray([Int64(5)])
    let cases: [(ArrowType, ArrowArray, String, String)] = [
      (record, inner, "variant=x", "is struct, and variant must be a text"),
      (
        Self.texts, list(ArrowTable.array(["A"])), "variant=x",
        "is list<string>, and variant must be"
      ),
      (record, inner, "choices=x", "is struct, and choices must be a list of texts"),
      (.duration(.second), seconds, "time=x", "is duration[s], and time must be a timestamp"),
      (.time(bits: 64, unit: .microsecond), seconds, "time=x", "is time64[us], and time must be"),
      (.timestamp(.second, zone: nil), seconds, "propensity=x", "and propensity must be a number"),
    ]
    for (type, column, entry, reason) in cases {
      let variant = entry.hasPrefix("variant") ? [] : ["variant:=A"]
      let found = try imported(type, column, mapping: variant + [entry])
      #expect(found.contains("the column \"x\" ") && found.contains(reason), "\(found)")
      #expect(found.contains("cast it"))
    }
  }

  @Test("attributes and features that are no struct or map are refused, and not left out")
  func refusedAttributes() throws {
    let text = decision.adding("context", #"{"a":1}"#)
    #expect(
      try read(text.bytes).contains(
        "the column \"context\" is string, which must be a struct or a map from the name"))
    let flat = ArrowType.structure([ArrowField("A", .float64)])
    let features = decision.adding(
      ArrowField("features", flat), ArrowArray(fields: [ArrowArray([1.0])], count: 1))
    #expect(
      try read(features.bytes).contains(
        "the column \"A\" is double, which must be a struct or a map"))
    let nested = decision.adding(
      ArrowField("context.a", Self.numbers), list(ArrowArray([1.0])))
    #expect(try read(nested.bytes).contains("the column \"context.a\" is list<double>"))
  }

  @Test(
    "texts that are no texts: bytes that are not UTF-8, numbers that are none, times out of range")
  func refusedTexts() throws {
    func found(_ type: ArrowType, _ column: ArrowArray) throws -> String {
      try read(decision.adding(ArrowField("policy", type), column).bytes)
    }
    #expect(
      try found(.binary(isLarge: false), ArrowArray(ends: [0, 1], bytes: [0xFF]))
        .contains("the column \"policy\" is binary, which is not UTF-8"))
    #expect(try found(.float64, ArrowArray([Double.nan])).contains("must be a finite number"))
    #expect(
      try found(.timestamp(.second, zone: nil), ArrowArray([Int64.max])).contains(
        "outside of the years"))
    #expect(
      try found(.binary(isLarge: false), ArrowArray(ends: [0, 1], bytes: [0x70]))
        .contains(#""policy":"p""#))
  }

  @Test("choices in JSON that are an object, or have one among them, are refused")
  func choicesInJSON() throws {
    let mapping = try EventMapping(["time=t", "unit=u", "variant=v", "choices=c", "experiment:=e"])
    for choices in [#"{"A":1,"B":2}"#, #"[["A"],"B"]"#, #"[{"id":"A"}]"#] {
      let line = #"{"t":"2026-01-05T10:00:00Z","u":"u","v":"A","c":"# + choices + "}\n"
      #expect(try Imported(line, mapping: mapping).rejected.first?.contains("choices") == true)
    }
  }
}
