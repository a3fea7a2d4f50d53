import Testing

@testable import Tables

@Suite("JSON for people")
struct JSONTreeTests {
  @Test("members keep their order, a line for each, and those without a value are left out")
  func layout() {
    let tree = JSONTree.members([
      ("name", .text("a \"b\"\n")), ("none", nil), ("empty", .cell(.empty)),
      ("list", .list([.integer(1), .flag(true)])), ("nothing", .list([])),
      ("object", .members([("x", .texts(["é"]))])),
    ])
    let expected = #"""
      {
        "name": "a \"b\"\n",
        "empty": null,
        "list": [
          1,
          true
        ],
        "nothing": [],
        "object": {
          "x": [
            "é"
          ]
        }
      }

      """#
    #expect(String(decoding: tree.bytes, as: UTF8.self) == expected)
  }
}
