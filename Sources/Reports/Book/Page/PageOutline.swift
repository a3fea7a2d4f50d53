internal import Plots

/// The order of a page, with the anchor of each of its parts: the experiments, then the checks of the data, then the
/// other reports of the whole log.
struct PageOutline {
  /// A report and its anchor.
  struct Part {
    var anchor: String
    var section: Book.Section
  }

  /// An experiment, its anchor, and its reports.
  struct Experiment {
    var anchor: String
    var chapter: Book.Chapter
    var parts: [Part]
  }

  /// The anchors of the parts that every page has.
  static let (top, contents, method) = ("top", "experiments", "method")

  /// The checks of the data.
  private(set) var health: [Part] = []
  /// The experiments.
  private(set) var experiments: [Experiment] = []
  /// The other reports of the whole log.
  private(set) var others: [Part] = []

  /// Creates the order of a book.
  init(_ book: Book) {
    var anchors = PageAnchors(reserved: [Self.top, Self.contents, Self.method])
    for section in book.overview {
      let part = Part(
        anchor: anchors.anchor(for: section.name, default: "report"), section: section)
      if section.hasChecks { health.append(part) } else { others.append(part) }
    }
    for chapter in book.chapters {
      let anchor = anchors.anchor(for: chapter.experiment, default: "experiment")
      // No other anchor has two hyphens in a row.
      var sections = PageAnchors(reserved: [])
      let parts = chapter.sections.map { section in
        let name = sections.anchor(for: section.name, default: "report")
        return Part(anchor: "\(anchor)--\(name)", section: section)
      }
      experiments.append(Experiment(anchor: anchor, chapter: chapter, parts: parts))
    }
  }

  /// The number of experiments up to which the cards of all are shown when the page opens.
  private static let fewExperiments = 8

  /// Whether there are so many experiments that the page opens as a list of their first sentences.
  var isLong: Bool { experiments.count > Self.fewExperiments }

  /// The plots of all reports.
  var figures: [Figure] {
    (health + experiments.flatMap(\.parts) + others).flatMap(\.section.figures)
  }
}
