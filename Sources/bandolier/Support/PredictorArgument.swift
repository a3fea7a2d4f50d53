import ArgumentParser
import Prediction

/// A predictor on the command line, such as `half-life:days=5`.
enum PredictorArgument {
  static func parse(_ text: String) throws -> Predictor {
    do {
      return try Predictors.named(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
