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

  @Test("series beyond the number of colours have dashes of their own")
  func dashes() {
    let styles = (0..<32).map { index in
      let style = SeriesStyle(index)
      return style.color.source + style.dashes.map(\.source).joined()
    }
    #expect(Set(styles).count == 32)
  }
}
