import Events

/// Parses fields whose text is JSON, such as the properties in a column of CSV, into fields of their own.
struct FieldTextParser: Sendable {
  private var bytes: [UInt8] = []
  private var nodes: [JSONNode] = []

  /// Replaces a member of the outermost object by the object that its text represents, so that names can be looked up
  /// in it. Without such a member, or if it is not a text that begins with `{`, nothing changes.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - tree: The fields.
  /// - Throws: ``Rejection`` `json` if the text begins with `{` and is not JSON.
  mutating func expand(_ name: StaticString, of tree: inout FieldTree) throws(Rejection) {
    guard tree.root.index == 0, let field = tree.find(name) else { return }
    let node = tree.nodes[field.index]
    guard node.kind == .text, tree.text(field).first == UInt8(ascii: "{") else { return }
    do throws(JSONLineError) {
      try JSONNodes.parse(tree.bytes.span.extracting(node.range), into: &bytes, &nodes)
    } catch {
      throw Rejection(.json, "\"\(name)\" is not JSON: \(error.reason)")
    }
    append(named: node, to: &tree)
    tree.nodes[field.index].kind = .null
    tree.nodes[field.index].nameCount = -1
  }

  /// Appends the parsed values as the last member of the outermost object.
  private func append(named original: JSONNode, to tree: inout FieldTree) {
    let offset = Int32(truncatingIfNeeded: tree.bytes.count)
    let first = Int32(truncatingIfNeeded: tree.nodes.count)
    tree.bytes.append(contentsOf: bytes)
    for (place, parsed) in nodes.enumerated() {
      var node = parsed
      node.start += offset
      node.nameStart += offset
      node.next += first
      if place == 0 { (node.nameStart, node.nameCount) = (original.nameStart, original.nameCount) }
      tree.nodes.append(node)
    }
    tree.nodes[0].next = Int32(truncatingIfNeeded: tree.nodes.count)
  }
}
