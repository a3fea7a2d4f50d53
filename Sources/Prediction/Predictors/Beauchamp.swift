public import Specifications

/// Confidence by plain counting: takes ÷ (encounters + 1), as in the library Beauchamp.
///
/// The 1 keeps few encounters from looking certain: an option that was taken every time has n ÷ (n + 1).
///
/// - Complexity: memory O(options): 8 bytes each, about 100 bytes for a study of five.
public struct Beauchamp: OptionPredictor {
  public static let info = SpecificationInfo(
    "beauchamp", "takes ÷ (encounters + 1)",
    source: "Beauchamp, a behaviour prediction library for apps")

  /// Creates the predictor with the default of each parameter.
  public init() {}

  public var beginning: Learning { Learning() }

  /// The takes of each option, and the encounters of all.
  public struct Learning: UnitLearning {
    private var takes: [Int] = []
    private var encounters = 0

    public var optionCount: Int { takes.count }

    public var isSound: Bool { encounters >= 0 && takes.allSatisfy { $0 >= 0 } }

    public mutating func apply(_ change: OptionChange, at time: Int64?) {
      switch change {
      case .define(_, let count): encounters = max(0, count)
      case .revise(let option, _, _) where !takes.indices.contains(option): return
      case .add(_, let count), .revise(_, _, let count): encounters = max(encounters, count)
      case .raise(let more): encounters = encounters.addingCount(more)
      case .remove: break
      }
      takes.apply(change)
      if takes.isEmpty { encounters = 0 }
    }

    @inline(__always)
    public mutating func take(_ option: Int, at time: Int64?) {
      guard takes.indices.contains(option) else { return }
      takes[option] = takes[option].addingCount(1)
      encounters = encounters.addingCount(1)
    }

    /// The forecast is blind, with confidence 0 for each option, without encounters.
    @inline(__always)
    public func forecast(into confidences: inout [Double], at time: Int64?) -> Bool {
      let (takes, encounters) = (takes, encounters)
      let divisor = Double(encounters) + 1
      confidences.refill(takes.count) { option in
        // Beyond 2⁵³ the 1 is lost to rounding, and the confidence could reach 1.
        encounters == 0 ? 0 : min(Double(takes[option]) / divisor, 1.0.nextDown)
      }
      return encounters == 0
    }
  }
}

extension Predictor {
  /// Plain counting: ``Prediction/Beauchamp``.
  public static let beauchamp = Predictor(Beauchamp())
}
