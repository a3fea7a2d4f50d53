import Plots
import Testing

/// The example of the catalogue of `Plots`.
@Suite("Example of Plots")
struct PlotsExample {
  @Test("the example runs")
  func example() throws {
    let rows = PlotRows(
      PlotAxis("mean reward of a decision"),
      [
        .init("blue", value: 0.050, low: 0.046, high: 0.054),
        .init("orange", value: 0.075, low: 0.070, high: 0.080, series: 1),
      ])
    let figures = Plot([PlotPanel("checkout", .rows(rows))]).figures(
      name: "rewards", title: "Reward by variant",
      description: "The mean reward of each variant (dot) with its confidence interval (line).")
    #expect(figures.count == 1 && figures[0].svg.contains(">orange</text>"))
  }
}
