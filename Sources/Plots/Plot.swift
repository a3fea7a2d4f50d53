/// A plot: panels of marks on common axes. Its values are plain numbers; it knows nothing of where they come from.
public struct Plot: Sendable, Equatable {
  /// The panels, in reading order; all have marks of the same kind.
  public var panels: [PlotPanel]

  /// Creates a plot.
  public init(_ panels: [PlotPanel]) { self.panels = panels }

  /// Draws the plot.
  ///
  /// Equal plots give equal bytes. Numbers that are not finite are left out, and a panel without any number says why.
  ///
  /// - Parameters:
  ///   - name: The name of the figure in snake_case.
  ///   - title: The title, one line.
  ///   - description: What the plot shows and how to read it, drawn below it.
  /// - Returns: At least one figure. If there are more panels than fit on a printed page, further figures follow, with
  ///   `_2`, `_3` and so on after the name.
  public func figures(name: String, title: String, description: String) -> [Figure] {
    let columns = panels.first?.columns(among: panels.count) ?? 1
    let width = FigurePages.panelWidth(columns: columns)
    return FigurePages(name: name, title: title, description: description, columns: columns)
      .figures(panels.flatMap { $0.drawings(width: width) })
  }
}

/// Marks on common axes, with a heading.
public struct PlotPanel: Sendable, Equatable {
  /// The marks of a panel.
  public enum Marks: Sendable, Equatable {
    /// A dot or a bar in each row, with an interval.
    case rows(PlotRows)
    /// Curves with bands.
    case curves(PlotCurves)
    /// Bars side by side for each group of values.
    case histogram(PlotHistogram)
    /// Shares that add up, period by period.
    case layers(PlotLayers)
    /// Observed rates against predicted probabilities.
    case rates(PlotRates)
  }

  /// The title.
  public var title: String
  /// A remark below the title.
  public var note: String
  /// The marks.
  public var marks: Marks
  /// The text of a panel without marks.
  public var emptyReason: String

  /// Creates a panel.
  public init(
    _ title: String, note: String = "", _ marks: Marks, emptyReason: String = "there are no values"
  ) {
    (self.title, self.note, self.marks, self.emptyReason) = (title, note, marks, emptyReason)
  }

  /// Returns how many panels of its kind stand beside one another. A single one has all the width, unless it is square.
  func columns(among count: Int) -> Int {
    switch marks {
    case .rows, .layers: 1
    case .curves(let curves): min(curves.columns, count)
    case .histogram: min(2, count)
    case .rates: 3
    }
  }

  /// Returns the drawn panel, in several parts if it has many rows.
  func drawings(width: Double) -> [PanelDrawing] {
    switch marks {
    case .rows(let rows): rows.drawings(in: self)
    case .curves(let curves): [CurvePanel(self, curves, width: width).drawing]
    case .histogram(let histogram): [histogram.drawing(in: self, width: width)]
    case .layers(let layers): [StackPanel(self, layers, width: width).drawing]
    case .rates(let rates): [rates.drawing(in: self, width: width)]
    }
  }
}
