public import Plots
public import Tables

extension PredictionTables {
  /// Returns reliability diagrams of each study and predictor.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func reliabilityFigures() throws(TableError) -> [Figure] {
    ReportFigures.reliability(try calibration())
  }

  /// Returns learning curves of each study, with a line for each predictor.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func learningFigures() throws(TableError) -> [Figure] {
    ReportFigures.learningCurves(try learningCurve())
  }
}
