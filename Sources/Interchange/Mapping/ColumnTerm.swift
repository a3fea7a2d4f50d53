import Specifications

/// What an entry of a mapping says of columns: `user_id`, `user_id | device_id`, of a number `amount / 100` or, in a
/// condition, `event == purchase | refund`.
struct ColumnTerm: Hashable, Sendable {
  /// The columns, of which the first with a content counts. A text with `|` or `/` may also be the name of one column.
  let names: [String]
  /// The contents of which a condition asks for one; empty if it asks for any.
  let contents: [String]
  /// What a number is divided by, unless its column has the whole text as its name.
  private(set) var divisor: Double?

  init(_ text: String, of field: EventField? = nil) {
    var name = text[...]
    var contents: [String] = []
    if field?.isNumber == true, let sign = text.ranges(of: " / ").last,
      let number = Double(text[sign.upperBound...])
    {
      (name, divisor) = (text[..<sign.lowerBound], number)
    }
    if field?.isCondition == true, let sign = text.firstRange(of: "==") {
      name = text[..<sign.lowerBound]
      contents = Self.parts(text[sign.upperBound...])
    }
    let parts = Self.parts(name)
    let whole = contents.isEmpty ? text : parts.joined(separator: "|")
    let isOne = parts.count == 1 && divisor == nil
    names = isOne ? [contents.isEmpty ? text : parts.first ?? ""] : [whole] + parts
    self.contents = contents
  }

  /// Returns the object whose members are events of their own, without the sign for them: `traits` of `traits.*`; nil
  /// of a column.
  static func object(ofMembers text: String) -> String? {
    let parts = parts(text[...])
    guard parts.allSatisfy({ $0.hasSuffix(".*") }) else { return nil }
    return parts.map { String($0.dropLast(2)) }.joined(separator: "|")
  }

  /// The columns without the text of all of them, which is seldom a name.
  var columns: [String] { names.count > 1 ? Array(names.dropFirst()) : names }

  /// Returns the parts of a text between vertical bars, without the spaces around them.
  static func parts(_ text: Substring) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map { part in
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
      let end = part.lastIndex { !isBlank($0) }.map { part.index(after: $0) } ?? part.startIndex
      return String(part[..<end].drop(while: isBlank)) ?? ""
    }
  }

  /// What is wrong with it, in words; nil if it can be looked up.
  func problem(isCondition: Bool) -> String? {
    if names.contains("") { return "a name is missing beside | or ==" }
    if contents.contains("") { return "a value is missing beside | or ==" }
    guard divisor.map({ $0 > 0 && $0.isFinite }) != false else {
      return "divide by a number above 0, as in amount / 100"
    }
    guard isCondition else { return nil }
    if names.contains(where: { $0 == "{value}" || $0 == "{column}" }) { return "a condition asks for a column" }
    if contents.contains(where: { $0.hasPrefix("\"") && $0.hasSuffix("\"") }) { return "write contents without quotes" }
    guard contents.isEmpty, names.contains(where: { $0.contains("!=") || $0.contains(" = ") }) else { return nil }
    return "write COLUMN == CONTENT, with unless for the contrary"
  }
}

extension EventMapping.Entry {
  /// The columns that fill the field; nil of a constant, of the rest, and of what an event of each column has.
  var term: ColumnTerm? {
    guard case .column(let text) = source, text != "*", !source.variesByColumn else { return nil }
    switch field {
    case .plain(.each), .chosenFeatures, .members: return nil
    default: return ColumnTerm(text, of: field)
    }
  }

  /// What is wrong with the entry, in words; nil if nothing is.
  var problem: String? {
    switch (field, source) {
    case (.context("*"), let source), (.metadata("*"), let source):
      let name = field.text
      return source == .column("*")
        ? nil
        : "\(name) takes all other columns, as in \(name)=*; name members of an object one by one, as in "
          + "\(name.dropLast())plan=traits.plan"
    case (.plain(.each), .constant): return "each takes columns, after ="
    case (.plain(.each), .column(let list)):
      let isWhole = EventMapping.columns(ofEach: list).contains { $0 == "*" || $0.contains(".*.") }
      return isWhole ? "each takes columns, or the members of an object, as in traits.*" : nil
    case (.chosenFeatures, .column(let list))
    where EventMapping.objects(ofMembers: list).allSatisfy({ ColumnTerm($0).problem(isCondition: false) == nil }):
      return nil
    case (.chosenFeatures, _): return "features.* takes the members of objects, as in item.*"
    case (.members, .column(let columns)) where EventMapping.columns(ofEach: columns).count == 2:
      let problems = EventMapping.columns(ofEach: columns).map { ColumnTerm($0).problem(isCondition: false) }
      return problems.lazy.compactMap(\.self).first
    case (.members, _): return "write members.LIST=NAME,VALUE, such as members.attributes=name,value"
    case (.plain(.negative), .column("{refund}")): return "write negative:={refund}"
    case (.plain(.negative), .constant(let value)):
      let isKnown = ["true", "false", "1", "0"].contains(value.lowercased())
      return isKnown || value == "{refund}" ? nil : "negative takes true, false or {refund}"
    default: return term?.problem(isCondition: field.isCondition)
    }
  }
}

extension EventField {
  /// Whether it decides if an event is there.
  var isCondition: Bool { self == .plain(.when) || self == .plain(.unless) }

  /// Whether it says which events there are or how records are read, and nothing that an event has.
  var isRule: Bool {
    if case .members = self { return true }
    return isCondition || self == .plain(.each) || self == .plain(.unique)
  }

  /// Whether it is one number, which may be divided.
  var isNumber: Bool { [.plain(.propensity), .plain(.value), .plain(.revenue), .plain(.reward)].contains(self) }
}
