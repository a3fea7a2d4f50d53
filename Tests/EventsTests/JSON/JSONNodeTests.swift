import Testing

@testable import Events

@Suite("Flat lists of JSON values")
struct JSONNodeTests {
  private func parse(_ text: String) throws(JSONLineError) -> [JSONNode] {
    var (bytes, nodes): ([UInt8], [JSONNode]) = ([], [])
    try JSONNodes.parse(Array(text.utf8).span, into: &bytes, &nodes)
    return nodes
  }

  @Test("each value says where the next one after it and its contents is")
  func order() throws {
    let nodes = try parse(#" {"a":[1,{}],"b":"x\n"} "#)
    #expect(nodes.map(\.kind) == [.object, .list, .number, .object, .text])
    #expect(nodes.map(\.next) == [5, 4, 3, 4, 5])
    #expect(nodes.map(\.nameCount) == [-1, 1, -1, -1, 1])
    #expect(nodes[4].count == 2)
  }

  @Test("nesting ends at 64, for empty lists and objects too", arguments: ["[]", "{}", "[1]"])
  func nesting(core: String) throws {
    let nested = { (depth: Int) in
      String(repeating: "[", count: depth - 1) + core + String(repeating: "]", count: depth - 1)
    }
    #expect(throws: Never.self) { try parse(nested(64)) }
    let error = #expect(throws: JSONLineError.self) { try parse(nested(65)) }
    #expect(error?.offset == 64)
    #expect(error?.reason.contains("more than 64 deep") == true)
  }
}
