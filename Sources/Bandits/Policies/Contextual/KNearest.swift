public import Specifications
public import Statistics

/// `k-nearest:k=5,alpha=1,unseen=0,capacity=1000`: UCB1 over the rewards of the k decisions with the nearest contexts.
///
/// Like MABWiser's `KNearest` with `UCB1` (E. Strong, B. Kleynhans and S. Kadıoğlu, "MABWiser: a parallelizable
/// contextual multi-armed bandit library for Python", ICTAI 2019): if n of the k neighbors chose a variant, its index
/// is their mean reward + α·√(2 ln k / n); a variant that none of them chose has the index `unseen`, 0 in MABWiser.
/// Each variant is chosen once first. Distances are Euclidean, between the shared features; among equally distant
/// neighbors those stored first win. The last `capacity` decisions are kept.
public struct KNearest: Policy {
  private static let k = Parameter.integer(
    "k", default: 5, in: 1...10_000,
    "neighbours, {range}")
  private static let alpha = Parameter.number(
    "alpha", default: 1, in: 0...1e9,
    "factor of the confidence bonus, {range}")
  private static let unseen = Parameter.number(
    "unseen", default: 0, in: -1e9...1e9,
    "index of a variant that no neighbor chose, {range}")
  private static let capacity = Parameter.integer(
    "capacity", default: 1000, in: 1...1_000_000,
    "number of stored decisions, {range}")

  public static let info = SpecificationInfo(
    "k-nearest", "UCB1 over the rewards of the decisions with the nearest contexts",
    [
      k,
      alpha,
      unseen,
      capacity,
    ], source: "Strong, Kleynhans and Kadıoğlu 2019")

  public static let needsContext = true

  public static let supportsUnavailableVariants = true

  public let specification: Specification
  fileprivate let k: Int
  fileprivate let alpha: Double
  fileprivate let unseen: Double
  fileprivate let capacity: Int

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(k: Int? = nil, alpha: Double? = nil, unseen: Double? = nil, capacity: Int? = nil)
    throws(SpecificationError)
  {
    try self.init(
      Self.info.specification(
        Self.k.written(k), Self.alpha.written(alpha), Self.unseen.written(unseen),
        Self.capacity.written(capacity)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    k = try Self.k.value(in: specification)
    alpha = try Self.alpha.value(in: specification)
    unseen = try Self.unseen.value(in: specification)
    capacity = try Self.capacity.value(in: specification)
  }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> KNearestState {
    try specification.requireSharedFeatures(problem)
    return KNearestState(self, problem)
  }
}

extension Specification {
  /// Rejects problems without shared features.
  func requireSharedFeatures(_ problem: Problem) throws(SpecificationError) {
    guard problem.sharedFeatures == 0 else { return }
    throw SpecificationError(
      "\(name) needs shared features, and this environment has only features of the variants; use linucb"
    )
  }
}

/// The state of a run: the stored decisions.
public struct KNearestState: PolicyState {
  private let policy: KNearest
  private let dimension: Int
  private var table: ArmTable
  /// The contexts, one after the other; at capacity the oldest is overwritten.
  private var contexts: [Double] = []
  private var variants: [Int] = []
  private var rewards: [Double] = []
  private var next = 0
  private var x: [Double]
  /// The distances of the neighbors, nearest first.
  private var distances: [Double] = []
  private var neighbours: [Int] = []
  private var counts: [Double]
  private var sums: [Double]

  init(_ policy: KNearest, _ problem: Problem) {
    self.policy = policy
    dimension = problem.sharedFeatures
    table = ArmTable(problem.variants)
    x = [Double](repeating: 0, count: dimension)
    counts = [Double](repeating: 0, count: problem.variants)
    sums = counts
  }

  /// Chooses the largest index, breaking ties at random.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    findNeighbours(context)
    for variant in counts.indices { (counts[variant], sums[variant]) = (0, 0) }
    for neighbour in neighbours {
      counts[variants[neighbour]] += 1
      sums[variants[neighbour]] += rewards[neighbour]
    }
    let bonus = policy.alpha * (2 * Double.log(Double(max(1, neighbours.count)))).squareRoot()
    return table.largest(&random) {
      counts[$0] > 0 ? sums[$0] / counts[$0] + bonus / counts[$0].squareRoot() : policy.unseen
    }
  }

  /// Stores the decision.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    for place in 0..<dimension { x[place] = ContextFeatures.number(context.shared, place) }
    if rewards.count < policy.capacity {
      contexts.append(contentsOf: x)
      variants.append(choice.variant)
      rewards.append(reward)
    } else {
      for place in 0..<dimension { contexts[next * dimension + place] = x[place] }
      (variants[next], rewards[next]) = (choice.variant, reward)
      next = (next + 1) % policy.capacity
    }
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }

  /// Finds the k nearest, by insertion into a sorted list.
  private mutating func findNeighbours(_ context: Context) {
    for place in 0..<dimension { x[place] = ContextFeatures.number(context.shared, place) }
    distances.removeAll(keepingCapacity: true)
    neighbours.removeAll(keepingCapacity: true)
    var start = 0
    for index in rewards.indices {
      var distance = 0.0
      for place in 0..<dimension {
        let gap = contexts[start &+ place] - x[place]
        distance += gap * gap
      }
      start &+= dimension
      if neighbours.count == policy.k {
        guard let furthest = distances.last, distance < furthest else { continue }
        distances.removeLast()
        neighbours.removeLast()
      }
      var place = distances.count
      while place > 0, distances[place - 1] > distance { place -= 1 }
      distances.insert(distance, at: place)
      neighbours.insert(index, at: place)
    }
  }
}
