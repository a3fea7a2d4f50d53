/// A whole SVG file, which can also stand in an HTML page beside others.
struct SVGDocument {
  let name: String
  let title: String
  let description: String
  let width: Double
  let height: Double
  let content: Markup

  private static let fonts =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

  /// The text of the file.
  var text: String {
    let labels = Markup.text("title", [Markup.Attribute("id", "\(id)-title")], title)
    let notes = Markup.text("desc", [Markup.Attribute("id", "\(id)-desc")], description)
    let ground = Markup.element(
      "rect",
      [
        Markup.Attribute("class", "bp-ground"), Markup.Attribute("width", "100%"),
        Markup.Attribute("height", "100%"),
      ])
    let root = Markup.container(
      "svg",
      [
        Markup.Attribute("xmlns", "http://www.w3.org/2000/svg"), Markup.Attribute("class", "bp"),
        Markup.Attribute("viewBox", "0 0 \(Markup.number(width)) \(Markup.number(height))"),
        Markup.Attribute("width", width), Markup.Attribute("height", height),
        Markup.Attribute("role", "img"),
        Markup.Attribute("aria-labelledby", "\(id)-title \(id)-desc"),
        Markup.Attribute("font-family", Self.fonts), Markup.Attribute("font-size", 12),
      ], labels + notes + PlotTheme.style + ground + content)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.source
  }

  /// The beginning of the ids: the name, and a checksum (FNV-1a) of the content, by which figures of the same name
  /// differ in a page that has several.
  private var id: String {
    var hash: UInt32 = 2_166_136_261
    for byte in title.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    for byte in content.source.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let letters = name.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
        ? String(scalar) : "_"
    }
    return "\(letters.joined())-\(String(hash, radix: 36))"
  }
}
