/// One experiment of the shop with its true parameters.
///
/// Probabilities are integer ten thousandths, so that they can be drawn exactly.
struct StorefrontExperiment {
  /// A slot of an experiment, all of whose slots are decided at once.
  struct Slot {
    let point: String?
    let slot: String?
    let variants: [String]
  }

  /// The logging policy, which draws the variants.
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

  /// The value of the goals.
  enum Worth {
    /// The value 1.
    case one
    /// No value, which counts as 1.
    case unsaid
    /// By variant, an amount drawn uniformly from a range of cents.
    case cents([ClosedRange<Int>])
  }

  let name: String
  /// What kind of experiment it is, and what is to be found in it.
  let about: String
  let goal: String
  let logger: Logger
  let worth: Worth
  let slots: [Slot]

  /// The reward probability of a decision in ten thousandths, by slot, variant and device. Those of the slots are
  /// added.
  let chances: [[[Int]]]

  /// By variant, the probability that a goal is followed by a refund of its value, in ten thousandths; empty for none.
  var refunds: [Int] = []

  /// By variant, the probability that a unit without a goal is lost before its decision is logged, in ten thousandths;
  /// empty for none.
  var losses: [Int] = []

  /// Whether a unit has only one decision.
  var isSticky = false

  /// Whether the events have ids.
  var hasIDs = false

  /// The fraction of excluded decisions, in thousandths.
  let excluded: Int

  /// The fraction of the other decisions that are provisional at first, in thousandths.
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
    name: "checkout-button", about: "drawn anew at every decision with equal probabilities; orange is best",
    goal: "purchase", logger: .uniform, worth: .one,
    slots: [Slot(point: nil, slot: nil, variants: ["blue", "green", "orange"])],
    chances: [onEveryDevice([500, 600, 750])], hasIDs: true, excluded: 10, provisional: 20)

  private static let recommendations = StorefrontExperiment(
    name: "recommendations",
    about: "a learning agent: Thompson sampling from delayed clicks, which comes to prefer bought-together",
    goal: "click", logger: .thompson, worth: .unsaid,
    slots: [
      Slot(
        point: "product-page", slot: nil,
        variants: ["popular", "recent", "similar", "bought-together", "editorial"])
    ],
    chances: [onEveryDevice([500, 600, 800, 1_000, 700])], excluded: 5, provisional: 0)

  private static let pricing = StorefrontExperiment(
    name: "pricing",
    about: "drawn once for each unit with unequal weights; discount-10 is better, but few units show it",
    goal: "order", logger: .weights([8, 2]),
    worth: .cents([2_000...6_000, 1_800...5_400]),
    slots: [Slot(point: nil, slot: nil, variants: ["regular", "discount-10"])],
    chances: [onEveryDevice([600, 800])], isSticky: true, hasIDs: true, excluded: 10,
    provisional: 0)

  private static let homepage = StorefrontExperiment(
    name: "homepage",
    about: "two slots, each drawn anew with equal probabilities; which variant is best depends on the device",
    goal: "add-to-cart", logger: .uniform, worth: .one,
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

  static func onEveryDevice(_ chances: [Int]) -> [[Int]] {
    chances.map { Array(repeating: $0, count: UnitTraits.devices.count) }
  }

  /// Whether the reward depends on the device, which is then in the context of the decisions.
  var isContextual: Bool { slots.count > 1 }

  /// Returns the reward probability of a decision for these variants, in ten thousandths.
  ///
  /// - Complexity: O(number of slots), without allocation.
  func chance(first: Int, second: Int, device: Int) -> Int {
    let base = chances[0][first][device]
    return chances.count > 1 ? base + chances[1][second][device] : base
  }

  /// Returns the probability with which a variant is chosen; nil if it changes.
  func propensity(of variant: Int, in slot: Int) -> Double? {
    switch logger {
    case .uniform: 1 / Double(slots[slot].variants.count)
    case .weights(let tenths): Double(tenths[variant]) / 10
    case .thompson: nil
    }
  }
}
