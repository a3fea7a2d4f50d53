/// The colours of a plot on a light and on a dark ground, as a style sheet.
///
/// Series differ in lightness as much as in hue, beginning with the blue and vermillion of M. Okabe and K. Ito, *Color
/// universal design* (2008), so that people with a colour vision deficiency tell them apart; their contrast with the
/// ground is at least 3:1, and that of texts at least 4.5:1.
enum PlotTheme {
  /// The number of colours of series; further series repeat them with other dashes.
  static let seriesCount = 8

  /// The rules of the style sheet. They hold only within elements of class `bp`, so that they can stand several times
  /// in a page, and follow the reader's preference unless the root element has `data-theme="light"` or `"dark"`.
  static let style = Markup.style(marks + light + dark)

  private static let marks: [StaticString] = [
    ".bp text{stroke:none}",
    ".bp .bp-grid,.bp .bp-axis,.bp .bp-reference,.bp .bp-line,.bp .bp-sparse,.bp .bp-whisker{fill:none}",
    ".bp .bp-line{stroke:currentColor;stroke-width:2;stroke-linejoin:round}",
    ".bp .bp-sparse{stroke:currentColor;stroke-width:1;stroke-dasharray:1 4}",
    ".bp .bp-whisker{stroke:currentColor;stroke-width:2}",
    ".bp .bp-band{fill:currentColor;fill-opacity:.17}",
    ".bp .bp-faint{fill-opacity:.07}",
    ".bp .bp-fill{fill:currentColor}",
    ".bp .bp-area{fill:currentColor;stroke-width:1}",
    ".bp .bp-hollow{stroke:currentColor;stroke-width:2}",
    ".bp .bp-hit{fill:#000;fill-opacity:0}",
    ".bp .bp-reference{stroke-dasharray:5 4}",
  ]

  /// Each rule has the colour of the light theme for viewers that know no variables.
  private static let light: [StaticString] = [
    ".bp .bp-ground{fill:#ffffff;fill:var(--bp-ground,#ffffff)}",
    ".bp .bp-area{stroke:#ffffff;stroke:var(--bp-ground,#ffffff)}",
    ".bp .bp-hollow{fill:#ffffff;fill:var(--bp-ground,#ffffff)}",
    ".bp .bp-text{fill:#1b1f24;fill:var(--bp-text,#1b1f24)}",
    ".bp .bp-muted{fill:#57606a;fill:var(--bp-muted,#57606a)}",
    ".bp .bp-grid{stroke:#e4e7eb;stroke:var(--bp-grid,#e4e7eb)}",
    ".bp .bp-axis{stroke:#7d8590;stroke:var(--bp-axis,#7d8590)}",
    ".bp .bp-reference{stroke:#57606a;stroke:var(--bp-muted,#57606a)}",
    ".bp .bp-expected{stroke:#1b1f24;stroke:var(--bp-text,#1b1f24);stroke-width:2}",
    ".bp .bp-s0{color:#0072b2;color:var(--bp-s0,#0072b2)}",
    ".bp .bp-s1{color:#d55e00;color:var(--bp-s1,#d55e00)}",
    ".bp .bp-s2{color:#1b9e8a;color:var(--bp-s2,#1b9e8a)}",
    ".bp .bp-s3{color:#8b1e5f;color:var(--bp-s3,#8b1e5f)}",
    ".bp .bp-s4{color:#5a4a00;color:var(--bp-s4,#5a4a00)}",
    ".bp .bp-s5{color:#3b93ec;color:var(--bp-s5,#3b93ec)}",
    ".bp .bp-s6{color:#111418;color:var(--bp-s6,#111418)}",
    ".bp .bp-s7{color:#94875a;color:var(--bp-s7,#94875a)}",
  ]

  private static let dark: [StaticString] = [
    "@media screen and (prefers-color-scheme:dark){",
    ":root:not([data-theme=light]) .bp,:root:not([data-theme=light]).bp{",
    darkVariables, "}}",
    "@media screen{:root[data-theme=dark] .bp{",
    darkVariables, "}}",
  ]

  private static let darkVariables: StaticString = """
    --bp-ground:#14171c;--bp-text:#e8eaed;--bp-muted:#a3adb8;--bp-grid:#2b3138;--bp-axis:#7d8894;
    --bp-s0:#4ba3db;--bp-s1:#ff8a3d;--bp-s2:#12907f;--bp-s3:#ffa6d6;
    --bp-s4:#ffe94a;--bp-s5:#5f6ff5;--bp-s6:#eef1f4;--bp-s7:#9a6b3c
    """
}

/// The colour of a series by its index: beyond the number of colours the dashes of lines and the opacity of areas
/// differ.
struct SeriesStyle: Hashable, Sendable {
  let index: Int

  init(_ index: Int) { self.index = abs(index) }

  /// The class of the colour.
  var color: Markup.Attribute {
    Markup.Attribute("class", "bp-s\(index % PlotTheme.seriesCount)")
  }

  /// The opacity of areas; none for the first series.
  var opacity: [Markup.Attribute] {
    let opacity = [1, 0.6, 0.35, 0.2][(index / PlotTheme.seriesCount) % 4]
    return opacity == 1 ? [] : [Markup.Attribute("fill-opacity", opacity)]
  }

  /// The dashes of lines; none for the first series.
  var dashes: [Markup.Attribute] {
    let dashes = ["", "8 3", "3 2", "9 3 2 3"][(index / PlotTheme.seriesCount) % 4]
    return dashes.isEmpty ? [] : [Markup.Attribute("stroke-dasharray", dashes)]
  }
}
