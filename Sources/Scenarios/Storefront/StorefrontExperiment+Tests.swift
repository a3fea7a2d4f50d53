extension StorefrontExperiment {
  /// The A/B tests: two variants, of which each visitor gets one with probability 0.5, once.
  static let tests = [freeShipping, searchBox, redesign, oneClick]

  private static let freeShipping = test(
    "free-shipping",
    about: "an A/B test with a clear winner: more visitors buy, and the shipping costs less than they bring in",
    goal: "purchase", worth: .cents([2_000...6_000, 1_700...5_700]), chances: [1_000, 1_500],
    refunds: [500, 500])

  private static let searchBox = test(
    "search-box", variant: "large",
    about: "an A/B test without an effect: as many visitors search with either variant",
    goal: "search", worth: .one, chances: [5_000, 5_000])

  private static let redesign = test(
    "redesign",
    about: "an A/B test with a broken split: of the visitors of redesign who do not buy, 20 % are lost before their "
      + "decision is logged, so that redesign looks better than control, which it is not",
    goal: "purchase", worth: .cents([2_000...6_000, 2_000...6_000]), chances: [1_000, 1_000],
    losses: [0, 2_000])

  private static let oneClick = test(
    "one-click",
    about: "an A/B test whose winner harms a guardrail: more visitors buy, but for less money, and more of it is "
      + "refunded",
    goal: "purchase", worth: .cents([2_000...6_000, 1_000...3_500]), chances: [1_200, 1_800],
    refunds: [500, 2_500])

  /// Returns a test of a variant, named as the test unless said otherwise, against the variant `control`.
  private static func test(
    _ name: String, variant: String? = nil, about: String, goal: String, worth: Worth, chances: [Int],
    refunds: [Int] = [], losses: [Int] = []
  ) -> StorefrontExperiment {
    StorefrontExperiment(
      name: name, about: about, goal: goal, logger: .uniform, worth: worth,
      slots: [Slot(point: nil, slot: nil, variants: ["control", variant ?? name])],
      chances: [onEveryDevice(chances)], refunds: refunds, losses: losses, isSticky: true, excluded: 0,
      provisional: 0)
  }
}
