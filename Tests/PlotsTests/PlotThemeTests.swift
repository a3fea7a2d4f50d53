import Foundation
import Testing

@testable import Plots

@Suite("Colours of plots")
struct PlotThemeTests {
  /// Colours by the names of their variables.
  private typealias Theme = [String: String]

  private static let sheet = PlotTheme.style.source

  /// The colours of the light theme: those of viewers without variables.
  private static var light: Theme {
    let pairs = sheet.matches(of: /var\(--bp-(\w+),(#[0-9a-f]{6})\)/).map {
      (String($0.output.1), String($0.output.2))
    }
    return Theme(pairs) { first, _ in first }
  }

  private static func dark(after selector: String) throws -> Theme {
    let start = try #require(sheet.range(of: selector))
    let end = try #require(sheet[start.upperBound...].firstIndex(of: "}"))
    let pairs = sheet[start.upperBound..<end].matches(of: /--bp-(\w+):(#[0-9a-f]{6})/).map {
      (String($0.output.1), String($0.output.2))
    }
    return Theme(pairs) { first, _ in first }
  }

  /// The relative luminance of a colour (WCAG 2.2).
  private static func luminance(_ color: String) throws -> Double {
    let number = try #require(Int(color.dropFirst(), radix: 16))
    let parts = [16, 8, 0].map { (shift: Int) -> Double in
      let part = Double((number >> shift) & 255) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private static func contrast(_ a: String, _ b: String) throws -> Double {
    let (first, second) = (try luminance(a), try luminance(b))
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  @Test("texts have a contrast of 4.5 with the ground and marks of 3, light and dark")
  func contrast() throws {
    #expect(abs(try Self.contrast("#ffffff", "#000000") - 21) < 1e-6)
    let themes = [Self.light, try Self.dark(after: ":root[data-theme=dark] .bp{")]
    for theme in themes {
      let ground = try #require(theme["ground"])
      for name in ["text", "muted"] {
        #expect(try Self.contrast(try #require(theme[name]), ground) >= 4.5, "\(name)")
      }
      for name in ["axis"] + (0..<PlotTheme.seriesCount).map({ "s\($0)" }) {
        #expect(try Self.contrast(try #require(theme[name]), ground) >= 3, "\(name)")
      }
    }
  }

  /// A colour as people see it who lack one kind of cones, in CIE Lab.
  ///
  /// G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, *A physiologically-based model for simulation of color vision
  /// deficiency*, IEEE TVCG 2009, table 1.
  private static func lab(_ color: String, _ vision: [[Double]]) throws -> [Double] {
    let number = try #require(Int(color.dropFirst(), radix: 16))
    let light = [16, 8, 0].map { (shift: Int) -> Double in
      let part = Double((number >> shift) & 255) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    let seen = vision.map { row in zip(row, light).map { $0 * $1 }.reduce(0, +) }
    let white = [0.9505, 1, 1.089]
    let weights = [
      [0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505],
    ]
    let roots = zip(weights, white).map { weights, white -> Double in
      let value = max(0, zip(weights, seen).map { $0 * $1 }.reduce(0, +) / white)
      return value > 0.008856 ? cbrt(value) : 7.787 * value + 16.0 / 116
    }
    return [116 * roots[1] - 16, 500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2])]
  }

  @Test(
    "series can be told apart with and without a colour vision deficiency",
    arguments: [
      [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
      // Protanopia and deuteranopia.
      [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
      ],
      [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
      ],
    ] as [[[Double]]])
  func distances(vision: [[Double]]) throws {
    for theme in [Self.light, try Self.dark(after: ":root[data-theme=dark] .bp{")] {
      let series = try (0..<PlotTheme.seriesCount).map { index in
        try Self.lab(try #require(theme["s\(index)"]), vision)
      }
      for (index, first) in series.enumerated() {
        for (other, second) in series.enumerated() where other > index {
          let squares = zip(first, second).map { ($0 - $1) * ($0 - $1) }
          // A difference of 2.3 is just noticeable.
          #expect(squares.reduce(0, +).squareRoot() >= 15, "\(index) and \(other)")
        }
      }
    }
  }

  @Test("a page's theme wins over the reader's preference, and both are the same colours")
  func themes() throws {
    let preferred = try Self.dark(
      after: ":root:not([data-theme=light]) .bp,:root:not([data-theme=light]).bp{")
    let forced = try Self.dark(after: ":root[data-theme=dark] .bp{")
    #expect(preferred == forced && Set(preferred.keys) == Set(Self.light.keys))
    #expect(Self.light.count == PlotTheme.seriesCount + 5)
  }

  @Test("rules hold within plots only")
  func scope() {
    for line in Self.sheet.split(separator: "\n") where line.hasSuffix("}") && line.contains("{") {
      #expect(line.hasPrefix(".bp "), "\(line)")
    }
  }

  @Test("series beyond the number of colours have dashes and opacities of their own")
  func dashes() {
    let styles = (0..<32).map { index in
      let style = SeriesStyle(index)
      return style.color.source + style.dashes.map(\.source).joined()
    }
    #expect(Set(styles).count == 32)
    let areas = (0..<32).map { index in
      let style = SeriesStyle(index)
      return style.color.source + style.opacity.map(\.source).joined()
    }
    #expect(Set(areas).count == 32)
  }
}
