internal import Bandits
internal import RealModule
internal import Statistics

/// Regret curves as SVG: a panel for each environment, in it a curve for each policy with a band from the 0.05 to the 0.95
/// quantile of the runs, and the Lai–Robbins line where there is one.
public struct RegretPlot {
  private let tables: SimulationTables
  private let width = 760.0
  private let panelHeight = 360.0
  private let left = 70.0
  private let right = 220.0
  private let top = 46.0
  private let bottom = 48.0

  /// A plot of what tables say.
  public init(_ tables: SimulationTables) { self.tables = tables }

  /// The text of the file.
  public var svg: String {
    let plan = tables.plan
    let height = panelHeight * Double(tables.prepared.environments.count)
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
      width="\(number(width))" height="\(number(height))" font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>

      """
    for (place, environment) in tables.prepared.environments.enumerated() {
      let curves = plan.policies.indices.map { curve(place * plan.policies.count + $0, $0) }
      text += panel(
        environment, curves, PanelScale(steps: plan.steps, curves, isLogarithmic: isLogarithmic),
        offset: panelHeight * Double(place))
    }
    return text + "</svg>\n"
  }

  private var isLogarithmic: Bool {
    if case .linear = tables.plan.rules.checkpoints { return false }
    return tables.plan.steps.count > 1
  }

  private func curve(_ pair: Int, _ index: Int) -> RegretCurvePoints {
    let outcomes = tables.store.outcomes(of: pair)
    let points = tables.plan.steps.enumerated().compactMap { place, step in
      OutcomeSummary(outcomes, at: place, step: step).regret.map {
        (step: step, mean: $0.mean, low: $0.low, high: $0.high)
      }
    }
    return RegretCurvePoints(name: tables.plan.policies[index], points: points)
  }

  // MARK: Drawing

  private func panel(
    _ environment: any Environment, _ curves: [RegretCurvePoints], _ scale: PanelScale,
    offset: Double
  ) -> String {
    let area = (width: width - left - right, height: panelHeight - top - bottom)
    var text = "<g transform=\"translate(\(number(left)) \(number(offset + top)))\">\n"
    text += label(
      environment.specification.description, x: 0, y: -18, anchor: "start", weight: "bold")
    text += axes(scale, area.width, area.height)
    for (index, curve) in curves.enumerated() {
      text += band(curve, scale, index, area.width, area.height)
    }
    if let constant = environment.arms.flatMap(LaiRobbins.constant), constant > 0 {
      text += line(
        tables.plan.steps.map { (Double($0), constant * Double.log(Double($0))) }, scale,
        area.width,
        area.height, "stroke=\"#777\" stroke-dasharray=\"2 4\"")
      text += key(
        "Lai–Robbins bound", curves.count, area.width, "stroke=\"#777\" stroke-dasharray=\"2 4\"")
    }
    for (index, curve) in curves.enumerated() {
      let style = Self.style(index)
      text += line(
        curve.points.map { (Double($0.step), $0.mean) }, scale, area.width, area.height, style)
      text += key(curve.name, index, area.width, style)
    }
    return text + "</g>\n"
  }

  private func axes(_ scale: PanelScale, _ width: Double, _ height: Double) -> String {
    var text = ""
    for tick in scale.regretTicks {
      let y = scale.y(tick, height)
      text +=
        "<line x1=\"0\" y1=\"\(number(y))\" x2=\"\(number(width))\" y2=\"\(number(y))\" stroke=\"#ddd\"/>\n"
      text += label(scale.text(tick), x: -8, y: y + 4, anchor: "end")
    }
    for tick in scale.stepTicks {
      let x = scale.x(tick, width)
      text +=
        "<line x1=\"\(number(x))\" y1=\"\(number(height))\" x2=\"\(number(x))\" y2=\"\(number(height + 5))\" stroke=\"#333\"/>\n"
      text += label(scale.text(tick), x: x, y: height + 18, anchor: "middle")
    }
    text +=
      "<path d=\"M0 0V\(number(height))H\(number(width))\" fill=\"none\" stroke=\"#333\"/>\n"
    text += label("decisions", x: width / 2, y: height + 36, anchor: "middle")
    return text
      + "<text transform=\"translate(-54 \(number(height / 2))) rotate(-90)\" text-anchor=\"middle\">"
      + "pseudo-regret</text>\n"
  }

  private func band(
    _ curve: RegretCurvePoints, _ scale: PanelScale, _ index: Int, _ width: Double, _ height: Double
  ) -> String {
    guard curve.points.count > 1 else { return "" }
    let upper = curve.points.map { (scale.x(Double($0.step), width), scale.y($0.high, height)) }
    let lower = curve.points.reversed().map {
      (scale.x(Double($0.step), width), scale.y($0.low, height))
    }
    let path = (upper + lower).map { "\(number($0.0)) \(number($0.1))" }.joined(separator: "L")
    return
      "<path d=\"M\(path)Z\" fill=\"\(Self.colours[index % Self.colours.count])\" fill-opacity=\"0.12\"/>\n"
  }

  private func line(
    _ points: [(Double, Double)], _ scale: PanelScale, _ width: Double, _ height: Double,
    _ style: String
  ) -> String {
    let path = points.map {
      "\(number(scale.x($0.0, width))) \(number(scale.y($0.1, height)))"
    }.joined(separator: "L")
    return path.isEmpty
      ? "" : "<path d=\"M\(path)\" fill=\"none\" stroke-width=\"1.8\" \(style)/>\n"
  }

  private func key(_ name: String, _ index: Int, _ width: Double, _ style: String) -> String {
    let y = Double(index) * 17
    let (start, end) = (number(width + 14), number(width + 38))
    return
      "<line x1=\"\(start)\" y1=\"\(number(y))\" x2=\"\(end)\" y2=\"\(number(y))\" stroke-width=\"1.8\" \(style)/>\n"
      + label(name, x: width + 44, y: y + 4, anchor: "start")
  }

  private func label(
    _ text: String, x: Double, y: Double, anchor: String, weight: String = "normal"
  ) -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\" font-weight=\"\(weight)\">\(Self.escaped(text))</text>\n"
  }

  // MARK: Style

  /// M. Okabe and K. Ito's colours, which people who are colour-blind tell apart (2008).
  private static let colours = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#B8A900",
  ]

  /// Beyond as many curves as colours the dashes differ.
  private static func style(_ index: Int) -> String {
    let dashes = ["", "7 3", "2 2", "9 3 2 3"][(index / colours.count) % 4]
    let colour = "stroke=\"\(colours[index % colours.count])\""
    return dashes.isEmpty ? colour : colour + " stroke-dasharray=\"\(dashes)\""
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar.value < 32 ? " " : scalar)
      }
    }
    return escaped
  }

  /// At most two decimals, the same in every locale.
  private func number(_ value: Double) -> String {
    let hundredths = (value * 100).rounded()
    guard abs(hundredths) < 1e15 else { return "0" }
    let (whole, rest) = Int(abs(hundredths)).quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    let digits = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
    return "\(sign)\(whole).\(digits)"
  }
}

/// The points of one curve.
struct RegretCurvePoints {
  let name: String
  let points: [(step: Int, mean: Double, low: Double, high: Double)]
}
