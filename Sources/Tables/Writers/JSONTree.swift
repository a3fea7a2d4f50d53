/// A JSON value whose members have an order, written for people: a line for each member and element.
package indirect enum JSONTree: Sendable {
  /// A value of a table; `null` if empty.
  case cell(TableCell)
  case list([JSONTree])
  case object([(name: String, value: JSONTree)])

  /// Creates an object of the members that have a value.
  package static func members(_ members: [(String, JSONTree?)]) -> JSONTree {
    .object(members.compactMap { name, value in value.map { (name: name, value: $0) } })
  }

  package static func text(_ text: String) -> JSONTree { .cell(.text(text)) }

  package static func text(_ text: String?) -> JSONTree? { text.map { .cell(.text($0)) } }

  package static func integer(_ number: Int) -> JSONTree { .cell(.integer(number)) }

  package static func flag(_ flag: Bool) -> JSONTree { .cell(.flag(flag)) }

  /// Creates a list of texts.
  package static func texts(_ texts: [String]) -> JSONTree { .list(texts.map { .text($0) }) }

  /// The text, which ends with a line feed.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, depth: 0)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  private func append(to bytes: inout [UInt8], depth: Int) {
    switch self {
    case .cell(let cell): JSONText.append(cell, to: &bytes)
    case .list(let elements):
      Self.append(("[", "]"), elements.count, to: &bytes, depth) { index, bytes in
        elements[index].append(to: &bytes, depth: depth + 1)
      }
    case .object(let members):
      Self.append(("{", "}"), members.count, to: &bytes, depth) { index, bytes in
        JSONText.append(members[index].name, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
        members[index].value.append(to: &bytes, depth: depth + 1)
      }
    }
  }

  private static func append(
    _ brackets: (open: String, close: String), _ count: Int, to bytes: inout [UInt8], _ depth: Int,
    _ body: (Int, inout [UInt8]) -> Void
  ) {
    bytes.append(contentsOf: brackets.open.utf8)
    for index in 0..<count {
      bytes.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * (depth + 1)))
      body(index, &bytes)
    }
    if count > 0 {
      bytes.append(UInt8(ascii: "\n"))
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
    bytes.append(contentsOf: brackets.close.utf8)
  }
}
