/// One panel of curves on common axes.
struct CurvePanel {
  private let panel: PlotPanel
  private let content: PlotCurves
  private let frame: PlotFrame
  private let curves: [PlotCurves.Curve]
  private let width: Double
  /// Why there is nothing to show; nil if there is something.
  private let emptyReason: String?

  init(_ panel: PlotPanel, _ content: PlotCurves, width: Double) {
    (self.panel, self.content, self.width) = (panel, content, width)
    let (xAxis, yAxis) = (content.x, content.y)
    curves = content.curves.map { curve in
      var curve = curve
      curve.points = curve.points.filter { xAxis.has($0.x) && yAxis.has($0.y) }
        .map { Self.point($0, on: yAxis) }
      return curve
    }
    emptyReason = Self.emptyReason(content, curves, panel.emptyReason)
    let points = curves.flatMap(\.points)
    let references = content.references.flatMap(\.points)
    let y = (points + references).flatMap { [$0.y, $0.low, $0.high].compactMap(\.self) }
    frame = PlotFrame(
      x: xAxis.scale(points.map(\.x), isTight: true, ticks: width > 500 ? 9 : 6),
      y: yAxis.scale(y, isTight: yAxis.spacing == .logarithmic, ticks: 6),
      xTitle: xAxis.title, yTitle: yAxis.title, width: width, height: content.height)
  }

  /// Returns a point without interval if an end of it has no place on the axis.
  private static func point(_ point: PlotCurves.Point, on axis: PlotAxis) -> PlotCurves.Point {
    guard let low = point.low, let high = point.high, axis.has(low), axis.has(high) else {
      return PlotCurves.Point(x: point.x, y: point.y)
    }
    return point
  }

  private static func emptyReason(
    _ content: PlotCurves, _ drawn: [PlotCurves.Curve], _ reason: String
  ) -> String? {
    if drawn.contains(where: { !$0.points.isEmpty }) { return nil }
    let points = content.curves.flatMap(\.points)
    if points.isEmpty { return reason }
    if points.contains(where: { $0.x.isFinite && $0.y.isFinite }) {
      return "no value is above 0, and a logarithmic axis has no others"
    }
    return "no value is a finite number"
  }

  /// The panel.
  var drawing: PanelDrawing {
    if let emptyReason {
      return PanelDrawing(panel, width: width, saying: emptyReason, in: frame)
    }
    var markup = frame.axes
    let parts = curves.indices.map(denseParts)
    for (curve, parts) in zip(curves, parts) {
      markup += Markup.group([style(curve).color], band(parts))
    }
    for reference in content.references { markup += line(reference) }
    for (curve, parts) in zip(curves, parts) {
      markup += Markup.group([style(curve).color], lines(curve, parts) + dots(curve, parts))
    }
    return PanelDrawing(
      panel, width: width, legend: legend, content: (markup: markup, height: frame.totalHeight))
  }

  private var legend: Legend {
    Legend(
      entries: curves.filter { !$0.points.isEmpty }.map {
        Legend.Entry(name: $0.name, series: $0.series, sample: .line)
      }
        + content.references.map {
          Legend.Entry(name: $0.name, series: $0.series, sample: .reference)
        })
  }

  private func style(_ curve: PlotCurves.Curve) -> SeriesStyle { SeriesStyle(curve.series) }

  /// Returns whether two neighbors are joined by a solid line.
  private func isDense(_ first: PlotCurves.Point, _ second: PlotCurves.Point) -> Bool {
    content.joining != .whereDense
      || frame.across(second.x) - frame.across(first.x) <= frame.width / 8
  }

  /// A point and its horizontal position.
  private struct Spot {
    let point: PlotCurves.Point
    var x: Double
  }

  /// Returns the points of a curve, split where neighbors are too far apart. A point on its own is moved aside a
  /// little, so that the intervals of several curves do not hide one another.
  private func denseParts(_ index: Int) -> [[Spot]] {
    var parts: [[Spot]] = []
    for point in curves[index].points {
      let spot = Spot(point: point, x: frame.across(point.x))
      if let last = parts.last?.last, isDense(last.point, point) {
        parts[parts.count - 1].append(spot)
      } else {
        parts.append([spot])
      }
    }
    let step = min(5, 24 / Double(curves.count))
    let shift = (Double(index) - Double(curves.count - 1) / 2) * step
    for place in parts.indices where parts.count > 1 && parts[place].count == 1 {
      let x = parts[place][0].x + shift
      parts[place][0].x = min(max(x, frame.left), frame.left + frame.width + 10)
    }
    return parts
  }

  private func line(_ curve: PlotCurves.Curve) -> Markup {
    let points = curve.points.filter { content.x.has($0.x) && content.y.has($0.y) }
    var path = PathData()
    path.lines(points.map { (frame.across($0.x), frame.down($0.y)) })
    return Marks.path(path, "bp-reference", tooltip: curve.name)
  }

  private func lines(_ curve: PlotCurves.Curve, _ parts: [[Spot]]) -> Markup {
    var (solid, sparse) = (PathData(), PathData())
    var previous: Spot?
    for part in parts {
      if let previous, let first = part.first {
        sparse.lines([previous, first].map { ($0.x, frame.down($0.point.y)) })
      }
      if part.count > 1 { solid.lines(corners(part[...], \.y)) }
      previous = part.last
    }
    return Marks.path(sparse, "bp-sparse")
      + Marks.path(solid, "bp-line", style(curve).dashes, tooltip: curve.name)
  }

  /// Returns the corners of a line through points, with steps if these are wanted.
  private func corners(
    _ spots: ArraySlice<Spot>, _ value: (PlotCurves.Point) -> Double
  ) -> [(x: Double, y: Double)] {
    var corners: [(x: Double, y: Double)] = []
    for spot in spots {
      if content.joining == .step, let last = corners.last { corners.append((spot.x, last.y)) }
      corners.append((spot.x, frame.down(value(spot.point))))
    }
    return corners
  }

  private func band(_ parts: [[Spot]]) -> Markup {
    var path = PathData()
    var whiskers = Markup.none
    for part in parts {
      for run in part.split(whereSeparator: { $0.point.low == nil || $0.point.high == nil }) {
        if run.count > 1 {
          path.lines(corners(run) { $0.high ?? $0.y } + corners(run) { $0.low ?? $0.y }.reversed())
          path.close()
        } else if let spot = run.first, let low = spot.point.low, let high = spot.point.high {
          whiskers += Marks.verticalInterval(
            x: spot.x, low: frame.down(low), high: frame.down(high))
        }
      }
    }
    // Many bands on top of one another would hide the lines.
    return Marks.path(path, curves.count > 4 ? "bp-band bp-faint" : "bp-band") + whiskers
  }

  /// Returns a dot for each point: seen if there are few, else only for pointers. If there are too many, only points on
  /// their own have one.
  private func dots(_ curve: PlotCurves.Curve, _ parts: [[Spot]]) -> Markup {
    let total = curves.reduce(0) { $0 + $1.points.count }
    let isFew = total <= Marks.mostWithValues
    var markup = Markup.none
    for part in parts where isFew || part.count == 1 {
      let isSeen = curve.points.count <= 40 || part.count == 1
      for spot in part {
        markup += Marks.dot(
          spot.x, frame.down(spot.point.y), radius: isSeen ? 2.4 : 5,
          look: isSeen ? "bp-fill" : "bp-hit", values: isFew ? values(spot.point, curve) : nil)
      }
    }
    return markup
  }

  private func values(_ point: PlotCurves.Point, _ curve: PlotCurves.Curve) -> Marks.Values {
    let (x, y) = (content.x.text(point.x), content.y.text(point.y))
    var tooltip = "\(curve.name)\n\(content.x.title) \(x): \(y)"
    var data = [
      Markup.Attribute("data-series", curve.name), Markup.Attribute("data-x", x),
      Markup.Attribute("data-y", y),
    ]
    if let low = point.low, let high = point.high {
      tooltip += " (\(content.y.text(low)) to \(content.y.text(high)))"
      data.append(Markup.Attribute("data-low", content.y.text(low)))
      data.append(Markup.Attribute("data-high", content.y.text(high)))
    }
    return Marks.Values(tooltip: tooltip, data: data)
  }
}
