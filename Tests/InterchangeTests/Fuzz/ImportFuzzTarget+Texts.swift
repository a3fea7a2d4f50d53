import Events
import Foundation

@testable import Interchange

// The parsers of JSON and CSV, against others.
extension ImportFuzzTarget {
  /// What is accepted must be what Foundation finds in it, if that accepts it too; and the parser of configurations
  /// must accept the same texts, except that it takes no name twice and no number beyond a `Double`.
  static func jsonNodes(_ bytes: [UInt8]) throws {
    var (text, nodes): ([UInt8], [JSONNode]) = ([], [])
    let strict = Result { () throws(JSONParseError) in try JSONValue(parsing: bytes) }
    do throws(JSONLineError) {
      try JSONNodes.parse(bytes.span, into: &text, &nodes)
    } catch {
      try require(error.offset >= 0 && error.offset <= bytes.count, "error at \(error.offset)")
      if case .success = strict { throw Failure(description: "rejected: \(error)") }
      return
    }
    try requireSound(nodes, text)
    var index = 0
    let value = Self.value(text, nodes, &index)
    try require(index == nodes.count, "\(index) of \(nodes.count) values")
    switch strict {
    case .success(let other): try require(value == other, "\(value as Any) and not \(other)")
    case .failure(let error): try require(value == nil, "rejected elsewhere: \(error)")
    }
    let data = Data(bytes)
    guard let value,
      let other = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return }
    try require(isSame(value, other), "Foundation finds \(other) and not \(value)")
  }

  /// Checks that the ranges lie in the text and that the values nest.
  private static func requireSound(_ nodes: [JSONNode], _ text: [UInt8]) throws {
    var ends: [Int] = []
    for (index, node) in nodes.enumerated() {
      while let end = ends.last, end <= index { ends.removeLast() }
      let next = Int(node.next)
      try require(
        next > index && next <= ends.last ?? nodes.count, "value \(index) ends at \(next)")
      try require(
        node.range.upperBound <= text.count && node.nameRange.upperBound <= text.count,
        "value \(index) lies outside the text")
      let isNested = node.kind == .list || node.kind == .object
      try require(isNested || next == index + 1, "value \(index) contains others")
      if isNested { ends.append(next) }
    }
  }

  /// Returns the value at an index, which is moved behind it; nil if a name occurs twice or a number is too large.
  private static func value(
    _ text: [UInt8], _ nodes: [JSONNode], _ index: inout Int
  ) -> JSONValue? {
    let node = nodes[index]
    let own = String(decoding: text[node.range], as: UTF8.self)
    index += 1
    switch node.kind {
    case .null: return .null
    case .flag: return .boolean(own == "true")
    case .text: return .string(own)
    case .number:
      if let integer = Int64(own) { return .integer(integer) }
      return Double(own).flatMap { $0.isFinite ? .number($0) : nil }
    case .list, .object: break
    }
    var (values, members, isSound): ([JSONValue], [JSONObject.Member], Bool) = ([], [], true)
    while index < Int(node.next) {
      let name = String(decoding: text[nodes[index].nameRange], as: UTF8.self)
      guard let inner = value(text, nodes, &index) else {
        isSound = false
        continue
      }
      values.append(inner)
      members.append(JSONObject.Member(name: name, value: inner))
    }
    let object = JSONObject(members)
    guard isSound else { return nil }
    if node.kind == .list { return .array(values) }
    return object.count == members.count ? .object(object) : nil
  }

  private static func isSame(_ value: JSONValue, _ other: Any) -> Bool {
    switch value {
    case .null: return other is NSNull
    case .string(let text):
      return (other as? String).map { $0.utf8.elementsEqual(text.utf8) } == true
    case .boolean(let flag): return (other as? NSNumber)?.boolValue == flag
    case .integer(let integer):
      return (other as? NSNumber).map { isNear($0.doubleValue, Double(integer)) } == true
    case .number(let number):
      return (other as? NSNumber).map { isNear($0.doubleValue, number) } == true
    case .array(let list):
      guard let others = other as? [Any], others.count == list.elements.count else { return false }
      return zip(list.elements, others).allSatisfy { isSame($0, $1) }
    case .object(let object):
      guard let others = other as? [String: Any] else { return false }
      // Names that are canonically equivalent are the same for Foundation.
      guard Set(object.members.map(\.name)).count == object.count else { return true }
      return others.count == object.count
        && object.members.allSatisfy { member in
          others[member.name].map { isSame(member.value, $0) } == true
        }
    }
  }

  /// Foundation rounds some numbers twice.
  private static func isNear(_ a: Double, _ b: Double) -> Bool {
    a == b || (a - b).magnitude <= 1e-13 * max(a.magnitude, b.magnitude)
      || max(a.magnitude, b.magnitude) < .leastNormalMagnitude
  }

  /// The reader must give the same in portions, the fields of a naive splitter as far as that finds nothing wrong, and
  /// the same again when its fields are written as CSV.
  static func csv(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let separator = [UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: ";")][Int(first) % 3]
    let text = Array(bytes.dropFirst())
    let whole = try CSVRows(text, separator, portion: .max)
    for portion in [1, 7] {
      let parts = try CSVRows(text, separator, portion: portion)
      try require(parts == whole, "in portions of \(portion):\n\(parts)\nand whole:\n\(whole)")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let unmarked = text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text
    let naive = CSVRows(splitting: unmarked, separator)
    let isSound = whole.malformed.isEmpty
    try require(isSound == naive.malformed.isEmpty, "\(whole)\nand naively\n\(naive)")
    guard isSound else { return }
    try require(whole.rows == naive.rows, "\(whole.rows)\nand naively\n\(naive.rows)")
    var written: [UInt8] = []
    for row in whole.rows {
      for (place, field) in row.enumerated() {
        if place > 0 { written.append(UInt8(ascii: ",")) }
        CSVText.append(field, to: &written)
      }
      written.append(UInt8(ascii: "\n"))
    }
    let again = try CSVRows(written, UInt8(ascii: ","), portion: .max)
    // A row of one empty field is a blank line, and a mark at the beginning is taken for that of the file.
    let kept = whole.rows.filter { $0 != [[]] }
    guard !written.starts(with: mark) else { return }
    try require(again.rows == kept && again.malformed.isEmpty, "\(again)\nof\n\(whole)")
  }
}
