import Foundation
import Plots
import Testing

/// The figures of each kind of plot are the files in `Golden`, byte for byte. After a change that is meant, write them
/// again with `BANDOLIER_WRITE_GOLDEN=1 swift test --filter GoldenFigureTests`, and look at each in a browser.
@Suite("Golden figures")
struct GoldenFigureTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  @Test("every kind of plot is drawn as it was looked at", arguments: SamplePlot.allCases)
  func unchanged(plot: SamplePlot) throws {
    for figure in plot.figures {
      let file = Self.folder.appendingPathComponent(figure.name + ".svg")
      if ProcessInfo.processInfo.environment["BANDOLIER_WRITE_GOLDEN"] != nil {
        try Data(figure.svg.utf8).write(to: file)
      }
      let golden = try String(contentsOf: file, encoding: .utf8)
      #expect(figure.svg == golden, "\(figure.name) differs from its golden file")
    }
  }

  @Test("there is no golden file of another figure")
  func complete() throws {
    let names = SamplePlot.allCases.flatMap(\.figures).map { $0.name + ".svg" }
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(files.sorted() == names.sorted())
  }
}
