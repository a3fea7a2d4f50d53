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
  /// The number of neighbours.
  public var k = 5
  /// The factor of the confidence bonus.
  public var alpha = 1.0
  /// The index of a variant that no neighbor chose.
  public var unseen = 0.0
  /// The number of stored decisions.
  public var capacity = 1000
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "k-nearest", "UCB1 over the rewards of the decisions with the nearest contexts",
    source: "Strong, Kleynhans and Kadıoğlu 2019",
    example: "k-nearest:k=5,alpha=1,unseen=0,capacity=1000")

  public static var parameters: [Field] {
    Field.integer("k", \.k, in: 1...10_000, "neighbours, {range}")
    Field.number("alpha", \.alpha, in: 0...1e9, "factor of the confidence bonus, {range}")
    Field.number(
      "unseen", \.unseen, in: -1e9...1e9, "index of a variant that no neighbor chose, {range}"
    )
    Field.integer("capacity", \.capacity, in: 1...1_000_000, "number of stored decisions, {range}")
  }

  public static let needsContext = true

  public static let supportsUnavailableVariants = true

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
    if let first = table.roster.unchosen(&random) { return first }
    findNeighbours(context)
    for variant in counts.indices { (counts[variant], sums[variant]) = (0, 0) }
    for neighbour in neighbours {
      counts[variants[neighbour]] += 1
      sums[variants[neighbour]] += rewards[neighbour]
    }
    let bonus = policy.alpha * (2 * Double.log(Double(max(1, neighbours.count)))).squareRoot()
    return table.roster.largest(&random) {
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
