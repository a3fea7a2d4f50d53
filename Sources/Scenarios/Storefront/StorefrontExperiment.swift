/// One experiment of the shop with everything that is true of it.
///
/// Probabilities are whole ten thousandths, so that they can be drawn exactly.
struct StorefrontExperiment {
  /// What is decided at once in an experiment.
  struct Slot {
    let point: String?
    let slot: String?
    let variants: [String]
  }

  /// How the variants are drawn.
  enum Logger {
    /// Each with the same probability, independently in every slot.
    case uniform
    /// With tenths of probability that sum to 10; one slot only.
    case weights([Int])
    /// By a ``ThompsonLogger``; one slot only.
    case thompson

    var policy: String {
      switch self {
      case .uniform: "uniform"
      case .weights: "weights"
      case .thompson: "thompson"
      }
    }
  }

  /// What the goals are worth.
  enum Worth {
    /// The value 1.
    case one
    /// No value, which counts 1.
    case unsaid
    /// By variant, an amount drawn uniformly from a range of cents.
    case cents([ClosedRange<Int>])
  }

  let name: String
  let goal: String
  let logger: Logger
  let worth: Worth
  let slots: [Slot]

  /// Ten thousandths of probability that a decision is rewarded, by slot, variant and device. Those
  /// of the slots are added up.
  let chances: [[[Int]]]

  /// Whether a unit is decided for only once.
  var isSticky = false

  /// Whether the events carry ids.
  var hasIDs = false

  /// Thousandths of the decisions that are excluded.
  let excluded: Int

  /// Thousandths of the others that are provisional at first.
  let provisional: Int

  /// The experiments in the order of their indices, which is that of ``Place``.
  static let all = [checkoutButton, recommendations, pricing, homepage]

  /// Indices of ``all``.
  enum Place: Int, CaseIterable {
    case checkoutButton, recommendations, pricing, homepage
  }
}

extension StorefrontExperiment {
  private static let checkoutButton = StorefrontExperiment(
    name: "checkout-button", goal: "purchase", logger: .uniform, worth: .one,
    slots: [Slot(point: nil, slot: nil, variants: ["blue", "green", "orange"])],
    chances: [onEveryDevice([500, 600, 750])], hasIDs: true, excluded: 10, provisional: 20)

  private static let recommendations = StorefrontExperiment(
    name: "recommendations", goal: "click", logger: .thompson, worth: .unsaid,
    slots: [
      Slot(
        point: "product-page", slot: nil,
        variants: ["popular", "recent", "similar", "bought-together", "editorial"])
    ],
    chances: [onEveryDevice([500, 600, 800, 1_000, 700])], excluded: 5, provisional: 0)

  private static let pricing = StorefrontExperiment(
    name: "pricing", goal: "order", logger: .weights([8, 2]),
    worth: .cents([2_000...6_000, 1_800...5_400]),
    slots: [Slot(point: nil, slot: nil, variants: ["regular", "discount-10"])],
    chances: [onEveryDevice([600, 800])], isSticky: true, hasIDs: true, excluded: 10,
    provisional: 0)

  private static let homepage = StorefrontExperiment(
    name: "homepage", goal: "add-to-cart", logger: .uniform, worth: .one,
    slots: [
      Slot(
        point: "landing", slot: "hero",
        variants: ["spring", "bestsellers", "new-arrivals", "clearance"]),
      Slot(
        point: "landing", slot: "banner",
        variants: ["free-shipping", "newsletter", "gift-card"]),
    ],
    chances: [
      [[900, 700, 800], [700, 1_300, 900], [1_200, 600, 1_000], [800, 900, 1_100]],
      [[300, 0, 0], [0, 300, 0], [0, 0, 300]],
    ],
    excluded: 10, provisional: 10)

  private static func onEveryDevice(_ chances: [Int]) -> [[Int]] {
    chances.map { Array(repeating: $0, count: UnitTraits.devices.count) }
  }

  /// Whether the reward depends on the device, which the decisions then carry in their context.
  var isContextual: Bool { slots.count > 1 }

  /// Ten thousandths of probability that a decision for these variants is rewarded.
  ///
  /// - Complexity: O(number of slots), without allocation.
  func chance(first: Int, second: Int, device: Int) -> Int {
    let base = chances[0][first][device]
    return chances.count > 1 ? base + chances[1][second][device] : base
  }

  /// The probability with which a variant is chosen; nil when that changes.
  func propensity(of variant: Int, in slot: Int) -> Double? {
    switch logger {
    case .uniform: 1 / Double(slots[slot].variants.count)
    case .weights(let tenths): Double(tenths[variant]) / 10
    case .thompson: nil
    }
  }
}
