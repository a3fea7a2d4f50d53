internal import Plots

extension Book {
  /// A section with its chapter and the paths of its plots.
  struct PlacedSection {
    var section: Section
    /// The chapter it is in; nil for the overview.
    var chapter: Chapter?
    /// The plots with their paths in the folder.
    var figures: [(path: String, figure: Figure)]
  }

  /// The paths in the folder and the contents of the plots, in reading order.
  public var figureFiles: [(path: String, svg: String)] {
    (placedOverview + chapters.indices.flatMap { placed(chapter: $0) })
      .flatMap(\.figures).map { ($0.path, $0.figure.svg) }
  }

  /// The sections of the whole log.
  var placedOverview: [PlacedSection] { placed(overview, in: nil) }

  /// Returns the sections of a chapter.
  func placed(chapter index: Int) -> [PlacedSection] { placed(chapters[index].sections, in: index) }

  private func placed(_ sections: [Section], in index: Int?) -> [PlacedSection] {
    let prefix = index.map { "\($0 + 1)-\(Self.fileName(of: chapters[$0].experiment))" } ?? "all"
    return sections.map { section in
      PlacedSection(
        section: section, chapter: index.map { chapters[$0] },
        figures: section.figures.map {
          ("plots/\(prefix)-\(section.name)-\($0.name).svg", $0)
        })
    }
  }

  /// Returns the letters, digits and dashes of a name, which may be any text: a part of a file name.
  private static func fileName(of name: String) -> String {
    let kept = name.utf8.prefix(40).map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      default: UInt8(ascii: "-")
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
