internal import Plots

/// A fragment of a page whose texts are escaped by construction: a string becomes part of it only as a text or as the
/// value of an attribute. The markup is well-formed both as HTML and as XML.
struct HTML: Sendable {
  /// The markup.
  private(set) var markup = ""

  /// Creates an empty fragment.
  init() {}

  /// Creates a text.
  init(text: String) {
    HTMLText.append(text, to: &markup)
  }

  /// Creates a name in snake_case, whose lines may end after its underscores.
  init(name: String) {
    for part in name.split(separator: "_", omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 {
        HTMLText.append("_", to: &markup)
        append(HTML(.wbr))
      }
      HTMLText.append(String(part.element), to: &markup)
    }
  }

  /// Creates a sentence, in which neither a number and its per cent sign nor an option such as `--crossing` are torn
  /// apart at the end of a line.
  init(sentence: String) {
    let words = sentence.replacing(" %", with: "\u{A0}%").split(
      separator: " ", omittingEmptySubsequences: false)
    for (index, word) in words.enumerated() {
      if index > 0 { HTMLText.append(" ", to: &markup) }
      let text = HTML(text: String(word))
      let isOption = word.hasPrefix("--") && word.dropFirst(2).first?.isLowercase == true
      append(isOption ? HTML(.span, [.class: "option"]) { text } : text)
    }
  }

  /// Creates an element.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - attributes: The attributes in order; one whose value is nil is left out.
  ///   - content: The fragments and texts in it; those that have no content, such as `meta`, must be given none.
  init(
    _ name: Element, _ attributes: KeyValuePairs<Attribute, String?> = [:],
    @HTMLBuilder content: () -> HTML = { HTML() }
  ) {
    self.init(name, attributes, markup: content().markup)
  }

  private init(_ name: Element, _ attributes: KeyValuePairs<Attribute, String?>, markup content: String) {
    markup = "<" + name.rawValue
    for case (let attribute, let value?) in attributes {
      markup += " " + attribute.rawValue + "=\""
      HTMLText.append(value, to: &markup)
      markup += "\""
    }
    if name.isVoid {
      assert(content.isEmpty, "\(name) has no content")
      markup += "/>"
    } else {
      markup += ">" + content + "</" + name.rawValue + ">"
    }
    if name.endsLine { markup += "\n" }
  }

  /// Creates an element whose content a browser with scripts takes for a text.
  ///
  /// Characters beyond ASCII become references: a browser keeps a text in one byte for each character unless one of
  /// them needs two, and a page of many such texts then opens in two thirds of the time.
  init(noscript content: HTML) {
    markup = "<noscript>"
    HTMLText.append(markupInASCII: content.markup, to: &markup)
    markup += "</noscript>"
  }

  /// Creates the plot of a figure, without the declaration of a file; its writer has escaped its texts.
  init(plot figure: InlinePlot) {
    markup = figure.markup
  }

  /// Creates the style sheets of figures, each once.
  init(styleSheetsOf figures: [Figure]) {
    var seen: Set<Substring> = []
    for sheet in figures.compactMap(InlinePlot.styleSheet) where seen.insert(sheet).inserted {
      markup += sheet + "\n"
    }
  }

  /// Creates the element of the style sheet or of the script, neither of which is escaped.
  init(_ resource: PageResource) {
    let name: Element = resource == .style ? .style : .script
    markup = "<\(name.rawValue)>\(resource.text)</\(name.rawValue)>\n"
  }

  /// Appends a fragment.
  mutating func append(_ other: HTML) {
    markup += other.markup
  }
}

extension HTML {
  /// The elements of a page.
  enum Element: String {
    case html, head, meta, title, link, style, script, body
    case header, main, nav, section, h1, h2, h3, div, p, span, bdi, strong, code
    case ul, li, dl, dt, dd, a, button, label, input, details, summary, figure
    case table, caption, thead, tbody, tr, th, td, abbr, wbr

    /// Whether it never has content.
    var isVoid: Bool { self == .meta || self == .link || self == .input || self == .wbr }

    /// Whether a line ends after it, so that files can be compared line by line.
    var endsLine: Bool {
      switch self {
      case .title, .header, .main, .nav, .section, .h1, .h2, .h3, .p, .ul, .li, .dl, .dd,
        .details, .figure, .table, .caption, .thead, .tbody, .tr, .div, .meta, .link, .head, .body:
        true
      default: false
      }
    }
  }

  /// The attributes of elements. None of them runs a script.
  enum Attribute: String {
    case id, `class`, lang, charset, name, content, rel, href, role, type, scope, open, title,
      tabindex
    case autocomplete
    case httpEquiv = "http-equiv"
    case label = "aria-label"
    case labelledBy = "aria-labelledby"
    case controls = "aria-controls"
    case pressed = "aria-pressed"
    /// The heading of a cell, for a screen too narrow for columns.
    case heading = "data-h"
    /// The exact number of a cell, by which its column is sorted.
    case value = "data-v"
    /// A part of the page that the script looks for.
    case part = "data-part"
  }
}

/// Joins fragments and texts; a string is always a text.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ text: String) -> HTML { HTML(text: text) }

  static func buildExpression(_ fragment: HTML) -> HTML { fragment }

  static func buildBlock(_ fragments: HTML...) -> HTML { buildArray(fragments) }

  static func buildOptional(_ fragment: HTML?) -> HTML { fragment ?? HTML() }

  static func buildEither(first fragment: HTML) -> HTML { fragment }

  static func buildEither(second fragment: HTML) -> HTML { fragment }

  static func buildArray(_ fragments: [HTML]) -> HTML {
    var all = HTML()
    for fragment in fragments { all.append(fragment) }
    return all
  }
}
