import Foundation
import TestSupport
import Testing

@testable import DecidingOverHTTP

@Suite("Percent-encoding")
struct PathSegmentTests {
  @Test("any text is a single segment that decodes to it", arguments: 0..<20)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let scalars = (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in
        Unicode.Scalar(
          UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x1_FFFF), using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      let encoded = PathSegment.encode(text)
      let decoded = try #require(encoded.removingPercentEncoding)
      #expect(decoded.utf8.elementsEqual(text.utf8), "seed \(seed)")
      #expect(
        encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/?#&=+;".utf8.contains($0) })
      let url = try HTTPAddress.url("http://h/a/\(encoded)/b?q=\(encoded)")
      #expect(url.absoluteString == "http://h/a/\(encoded)/b?q=\(encoded)")
    }
  }

  @Test("an address keeps its path, and loses a slash at its end")
  func addresses() throws {
    for (text, expected) in [
      ("http://h", "http://h/a/b%20c?q"), ("http://h/", "http://h/a/b%20c?q"),
      ("https://h:8443/agents/", "https://h:8443/agents/a/b%20c?q"),
      ("HTTP://127.0.0.1:80", "HTTP://127.0.0.1:80/a/b%20c?q"),
      ("http://[::1]:8080", "http://[::1]:8080/a/b%20c?q"),
    ] {
      #expect(try HTTPAddress(text).appending(["a", "b c"], query: "q") == expected)
    }
    #expect(try HTTPAddress("http://h").appending([]) == "http://h")
  }
}
