internal import Plots
internal import Tables

/// A report below its heading: what it says, its plots, and its tables.
struct PageSection {
  private let part: PageOutline.Part
  private let experiment: String?
  private let said: [String]

  /// Creates the text of a report.
  ///
  /// - Parameters:
  ///   - part: The report.
  ///   - experiment: The experiment to whose chapter it belongs; nil for a report of the whole log.
  ///   - said: The sentences that stand above it already, which are not repeated.
  init(_ part: PageOutline.Part, experiment: String?, said: [String]) {
    (self.part, self.experiment, self.said) = (part, experiment, said)
  }

  var html: HTML {
    var all = PageAnswer(part.section.answer.filter { !said.contains($0) }).html
    // The checks that failed come first; of other reports what is seen at a glance.
    let hasChecks = part.section.hasChecks
    all.append(hasChecks ? tables : figures)
    all.append(hasChecks ? figures : tables)
    return all
  }

  private var figures: HTML {
    var all = HTML()
    for (index, figure) in part.section.figures.enumerated() {
      all.append(self.figure(figure, anchor: "\(part.anchor)--f\(index + 1)"))
    }
    return all
  }

  private var tables: HTML {
    var all = HTML()
    for (index, table) in part.section.tables.enumerated() {
      let place = PageTable.Place(
        anchor: "\(part.anchor)--t\(index + 1)", experiment: experiment,
        said: said + part.section.answer)
      all.append(
        table.focus != nil ? PageChecks(table, at: place).html : PageTable(table, at: place).html)
    }
    return all
  }

  /// Returns a plot, which has its title and how to read it in it. To a screen reader it is one picture with that text;
  /// its values are in the tables.
  private func figure(_ figure: Figure, anchor: String) -> HTML {
    HTML(.figure, [.id: anchor]) {
      HTML(
        .div,
        [.class: "plot", .tabindex: "0", .role: "group", .label: figure.title, .part: "plot"]
      ) { HTML(plot: InlinePlot(figure, prefix: anchor)) }
    }
  }
}
