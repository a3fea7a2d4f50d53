import Deciding
import Events
import Foundation
import Testing

@Suite("Property lists")
struct PropertyListTests {
  private func read(_ xml: String) throws(PropertyListError) -> JSONValue {
    try JSONValue(propertyList: Array(xml.utf8))
  }

  private func problem(_ bytes: [UInt8]) -> String? {
    do {
      _ = try JSONValue(propertyList: bytes)
      return nil
    } catch {
      return error.description
    }
  }

  private static let whole = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
      <!-- <array><array> of no account -->
      <key>yes</key><true/><key>no</key><false/><key>one</key><integer>1</integer>
      <key>real</key><real>1.5</real><key>text</key><string>1 &amp; <![CDATA[<array>]]></string>
      <key>date</key><date>2026-01-02T03:04:05Z</date><key>data</key><data>AQID</data>
      <key>list</key><array><integer>-3</integer><string></string><dict/></array>
      <key>large</key><integer>18446744073709551615</integer>
    </dict></plist>
    """

  private static let expected: JSONValue = [
    "yes": true, "no": false, "one": 1, "real": 1.5, "text": "1 & <array>",
    "date": "2026-01-02T03:04:05Z", "data": "AQID", "list": [-3, "", [:]],
    "large": .number(0x1p64),
  ]

  @Test("XML becomes the JSON value that means the same")
  func xml() throws {
    #expect(try read(Self.whole) == Self.expected)
    #expect(try read("\u{FEFF}" + Self.whole) == Self.expected)
  }

  @Test("a binary list becomes the same value")
  func binary() throws {
    let list = try unsafe PropertyListSerialization.propertyList(
      from: Data(Self.whole.utf8), options: [], format: nil)
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    #expect(try JSONValue(propertyList: Array(bytes)) == Self.expected)
    for end in 0..<bytes.count {
      #expect(problem(Array(bytes.prefix(end))) != nil, "cut at \(end)")
    }
  }

  @Test("a number is never a truth value, and a truth value never a number")
  func truth() throws {
    #expect(try read("<plist><integer>1</integer></plist>") == 1)
    #expect(try read("<plist><true/></plist>") == true)
    #expect(try read("<plist><real>1</real></plist>").boolean == nil)
    #expect(try read("<plist><string>true</string></plist>") == "true")
  }

  @Test(
    "what is wrong is told with the line or the keys",
    arguments: [
      ("", "no property list"), ("hello", "no property list"), ("<plist>\u{0}", "no property list"),
      ("{ a = 1; }", "no property list"),
      ("<plist><dict>\n<key>a</key></dict></plist>", " line "),
      ("<plist><dict>\n<key>a</key><uid/></dict></plist>", " line "),
      ("<plist><dict><key>a</key><array><integer>x</integer></array></dict></plist>", "a.0: "),
      ("<plist><dict><key>a</key><real>nan</real></dict></plist>", "a: is not finite"),
      ("<plist><dict><key>a</key><date>soon</date></dict></plist>", "a: "),
      ("bplist00", "cut off"),
      ("bplist01" + String(repeating: "(", count: 100), "another version"),
    ])
  func problems(text: String, message: String) throws {
    let reason = try #require(problem(Array(text.utf8)))
    #expect(reason.contains(message), "\(reason)")
  }

  @Test("lists that are nested too deep are refused before they can do harm")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      let (open, close) = ("<array>", "</array>")
      return "<plist>" + String(repeating: open, count: depth)
        + String(repeating: close, count: depth) + "</plist>"
    }
    #expect(try read(nested(64)).array?.count == 1)
    #expect(problem(Array(nested(65).utf8))?.contains("nested more than 64 deep") == true)
    let hidden = String(repeating: "<array><!--</array>-->", count: 100_000)
    #expect(problem(Array(hidden.utf8))?.contains("nested more than 64 deep") == true)
    #expect(problem(Array(String(repeating: "<dict>", count: 100_000).utf8)) != nil)
  }

  /// A binary list of objects with references and offsets of one byte, the first object at the top.
  private func binary(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [UInt8(objects.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return bytes
  }

  @Test("a binary list that contains itself, or repeats itself endlessly, is refused")
  func references() {
    #expect(problem(binary([[0xA1, 0]]))?.contains("nested more than 64 deep") == true)
    #expect(problem(binary([[0xD1, 0, 0]]))?.contains("nested more than 64 deep") == true)
    let doubling = (1...30).map { [0xA2, UInt8($0), UInt8($0)] } + [[0xA0]]
    #expect(problem(binary(doubling))?.contains("repeats itself") == true)
  }

  @Test("counts, references, offsets and sizes that lie outside are refused")
  func outside() {
    for object: [UInt8] in [
      // A list and a text of more than there is, with counts of one and of eight bytes.
      [0xAE, 1], [0xAF, 0x13] + Array(repeating: 0xFF, count: 8), [0x5F, 0x10, 200], [0x6F, 0x13, 0x7F],
      [0x4F, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], [0xA1, 9], [0xD1, 0], [0x5F, 0x55], [0x13, 1], [0x22, 0],
    ] { #expect(problem(binary([object]))?.contains("damaged") == true, "\(object)") }
    for (place, value) in [(6, 0), (6, 9), (7, 0), (15, 200), (8, 255), (23, 1), (24, 255), (31, 255), (31, 3)] {
      var bytes = binary([[0x08]])
      bytes[bytes.count - 32 + place] = UInt8(value)
      #expect(problem(bytes)?.contains("damaged") == true, "\(place)")
    }
  }

  @Test("values of each kind in a binary list")
  func kinds() throws {
    for (object, value) in [
      ([0x00], .null), ([0x08], false), ([0x09], true), ([0x10, 200], 200), ([0x11, 1, 0], 256),
      ([0x13] + Array(repeating: 0xFF, count: 8), -1), ([0x22, 0x3F, 0xC0, 0, 0], 1.5),
      ([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], 1.5), ([0x33, 0, 0, 0, 0, 0, 0, 0, 0], "2001-01-01T00:00:00Z"),
      ([0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8), .number(0x1p64)),
      ([0x14] + Array(repeating: 0xFF, count: 16), -1), ([0x43, 1, 2, 3], "AQID"), ([0x52, 0x68, 0x69], "hi"),
      ([0x62, 0x00, 0xFC, 0x20, 0xAC], "ü€"), ([0xC0], []), ([0xD0], [:]), ([0x50], ""),
    ] as [([UInt8], JSONValue)] { #expect(try JSONValue(propertyList: binary([object])) == value, "\(object)") }
    for (object, reason) in [
      ([0x80, 1], "is no text"), ([0x61, 0xD8, 0x00], "half a character"), ([0x01], "is no text"),
      ([0x14] + Array(repeating: 1, count: 16), "beyond"), ([0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], "not finite"),
      ([0xD1, 1, 1], "no text"), ([0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], "is a date outside"),
    ] as [([UInt8], String)] { #expect(problem(binary([object, [0x09]]))?.contains(reason) == true, "\(object)") }
  }

  @Test("bytes that were damaged are read or refused, and never do harm", arguments: 0..<4)
  func damaged(part: UInt64) throws {
    let list = binary([
      [0xD3, 1, 2, 3, 4, 5, 6], [0x51, 0x61], [0x51, 0x62], [0x51, 0x63], [0xA3, 5, 6, 7], [0x62, 0, 0xFC, 0, 0x61],
      [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], [0xD1, 1, 8], [0x5F, 0x10, 3, 0x61, 0x62, 0x63],
    ])
    #expect(try JSONValue(propertyList: list) == ["a": ["üa", 1.5, ["a": "abc"]], "b": "üa", "c": 1.5])
    var generator = SystemFree(seed: part)
    // Text stays ASCII: what is not UTF-8 is refused at once.
    for (original, count, mask) in [(list, 10_000, 0xFF), (Array(Self.whole.utf8), 500, 0x7F)]
      as [([UInt8], Int, UInt8)]
    {
      for _ in 0..<count {
        var bytes = original
        for _ in 0..<3 {
          bytes[Int(generator.next() % UInt64(bytes.count))] =
            UInt8(
              truncatingIfNeeded: generator.next()) & mask
        }
        let value = try? JSONValue(propertyList: bytes)
        if let value { #expect(try JSONValue(parsing: value.description) == value) }
      }
    }
  }

  private struct SystemFree {
    var seed: UInt64
    mutating func next() -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return seed >> 33
    }
  }
}
