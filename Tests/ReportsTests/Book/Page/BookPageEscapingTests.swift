import DecidingCore
import Events
import Foundation
import Testing

@testable import Reports

@Suite("Escaping in a page")
struct BookPageEscapingTests {
  @Test(
    "a text changes nothing but texts, wherever it stands",
    arguments: [
      "<script>attack()</script>", "\"><img src=x onerror=attack()>", "' onmouseover='attack()",
      "</style></title></table><script>", "]]>", "<!--", "-->", "<![CDATA[", "&lt;b&gt;&amp;&#60;",
      "javascript:attack()", "{{7*7}}${1}`", "=1+1", "\u{0}\u{1}\u{1B}[31m\u{7F}\u{9B}",
      "\r\n\t", "\u{202E}evil\u{2066}", "\u{2028}\u{2029}\u{FEFF}", "\u{FFFE}\u{FFFF}\u{10FFFF}",
      "שלום", "مرحبا \"quoted\"", "👩‍👩‍👧", "a\\u003cscript\\u003e",
    ])
  func hostile(text: String) throws {
    let plain = try #require(PageContent(BookPage(SampleBook.everywhere("plain")).html))
    let html = BookPage(try SampleBook.everywhere(text)).html
    let page = try #require(PageContent(html), "the page is not well-formed")
    #expect(page.structure == plain.structure)
    #expect(page.script == plain.script)
    #expect(!page.structure.contains { $0.contains(" on") })
    for scalar in html.unicodeScalars {
      #expect(scalar == "\n" || scalar.value >= 32 && !(127..<160).contains(scalar.value))
    }
  }

  @Test("texts read as they were written, and control characters are visible")
  func shown() throws {
    let text = "<b title=\"x\">'A' & B</b>\u{1B}\n\u{202E}"
    let page = try #require(PageContent(BookPage(SampleBook.everywhere(text)).html))
    let shown = "<b title=\"x\">'A' & B</b>\\u{1B}\\n\\u{202E}"
    #expect(page.all("h1").map(\.text) == [shown])
    #expect(page.all("td").contains { $0.text == shown })
    #expect(page.values("title").contains(shown))
  }

  @Test("neither the script nor the style sheet can end before its end")
  func constants() throws {
    let script = PageResource.script.text
    let style = PageResource.style.text
    #expect(!script.contains("</") && !script.contains("<!--"))
    #expect(!style.contains("<") && !style.contains("&"))
  }

  @Test("no script runs but that of the page, which the policy knows by its digest")
  func policy() throws {
    var hash = SHA256()
    hash.update(Array(PageResource.script.text.utf8))
    let digest = "sha256-\(Data(hash.bytes()).base64EncodedString())"
    #expect(
      PageResource.policy.contains("script-src '\(digest)';"),
      "the digest of the script is now \(digest)")
    #expect(!PageResource.policy.contains("script-src 'unsafe"))
  }

  @Test("an attribute without a value is left out, and elements without content are closed")
  func elements() {
    let html = HTML(.p, [.id: "a", .class: nil, .title: "1 < 2"]) {
      "x & y"
      HTML(.input, [.type: "search"])
      for number in 1...3 { HTML(.code) { "\(number)" } }
    }
    #expect(
      html.markup == "<p id=\"a\" title=\"1 &lt; 2\">x &amp; y<input type=\"search\"/>"
        + "<code>1</code><code>2</code><code>3</code></p>\n")
  }
}
