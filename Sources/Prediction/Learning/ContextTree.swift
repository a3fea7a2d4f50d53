/// Counts what followed which contexts: the last takes before a take, up to some length.
///
/// A context is a path from the root, the most recent take first, so that every shorter context lies on the way
/// to a longer one. The empty context, which is the root, has no counts here: it counts all takes.
///
/// - Complexity: memory O(contexts + pairs of a context and what followed it). With n options and contexts of at
///   most k takes that is at most k of each for every take, and never more than n + n² + ... + nᵏ contexts with n
///   followers each.
struct ContextTree: Sendable {
  /// Where a context or a follower hangs.
  private struct Edge: Hashable {
    let context: Int32
    let symbol: Int32
  }

  private struct Context: Hashable, Sendable {
    let parent: Int32
    let symbol: Int32
    /// The follower counted last of all new ones; -1 for none.
    var newestFollower: Int32 = -1
  }

  private struct Follower: Hashable, Sendable {
    let context: Int32
    let symbol: Int32
    var count: Int
    /// The follower of the same context that was new before; -1 for none.
    let older: Int32
  }

  private var contexts: [Context] = []
  private var followers: [Follower] = []
  // Found again from the two lists, so neither compared nor encoded.
  private var contextAt: [Edge: Int32] = [:]
  private var followerAt: [Edge: Int32] = [:]

  /// Nothing followed anything.
  init() {}

  /// A take followed the recent ones, of which the last one is the most recent.
  mutating func record(_ symbol: Int, after recent: [Int]) {
    var context: Int32 = -1
    for previous in recent.reversed() {
      guard let deeper = child(of: context, Self.narrow(previous)) else { return }
      context = deeper
      count(Self.narrow(symbol), in: context)
    }
  }

  /// Calls the closure with the contexts that the recent takes end in, as far as they were met before, the
  /// shortest first.
  func forEachContext(ending recent: [Int], _ body: (Int32) -> Void) {
    var context: Int32 = -1
    for previous in recent.reversed() {
      let edge = Edge(context: context, symbol: Self.narrow(previous))
      guard let deeper = contextAt[edge] else { return }
      context = deeper
      body(context)
    }
  }

  /// Calls the closure with each follower of a context and how often it followed.
  func forEachFollower(of context: Int32, _ body: (Int, Int) -> Void) {
    guard contexts.indices.contains(Int(context)) else { return }
    var next = contexts[Int(context)].newestFollower
    while next >= 0 {
      let follower = followers[Int(next)]
      body(Int(follower.symbol), follower.count)
      next = follower.older
    }
  }

  /// No log has so many takes that the numbers end; should one, the last of them share a number.
  private static func narrow(_ symbol: Int) -> Int32 { Int32(clamping: symbol) }

  /// The deeper context, made where it is missing; nil when there is no number left for it.
  private mutating func child(of context: Int32, _ symbol: Int32) -> Int32? {
    let edge = Edge(context: context, symbol: symbol)
    if let known = contextAt[edge] { return known }
    guard let number = Int32(exactly: contexts.count) else { return nil }
    contexts.append(Context(parent: context, symbol: symbol))
    contextAt[edge] = number
    return number
  }

  private mutating func count(_ symbol: Int32, in context: Int32, _ times: Int = 1) {
    let edge = Edge(context: context, symbol: symbol)
    if let known = followerAt[edge] {
      followers[Int(known)].count = followers[Int(known)].count.addingCount(times)
    } else if let number = Int32(exactly: followers.count) {
      let older = contexts[Int(context)].newestFollower
      followers.append(Follower(context: context, symbol: symbol, count: times, older: older))
      contexts[Int(context)].newestFollower = number
      followerAt[edge] = number
    }
  }
}

extension ContextTree: Equatable {
  static func == (a: ContextTree, b: ContextTree) -> Bool {
    a.contexts == b.contexts && a.followers == b.followers
  }
}

extension ContextTree: Codable {
  private enum CodingKeys: String, CodingKey { case contexts, followers }

  /// Reads what `encode(to:)` wrote.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let contexts = try container.decode([Int32].self, forKey: .contexts)
    let followers = try container.decode([Int].self, forKey: .followers)
    for start in stride(from: 0, to: contexts.count, by: 2) {
      let number = Int32(clamping: start / 2)
      guard start + 1 < contexts.count, contexts[start] >= -1, contexts[start] < number,
        child(of: contexts[start], contexts[start + 1]) == number
      else {
        throw DecodingError.dataCorruptedError(
          forKey: .contexts, in: container,
          debugDescription: "is no list of contexts, each behind the one that it deepens")
      }
    }
    for start in stride(from: 0, to: followers.count, by: 3) {
      guard start + 2 < followers.count, self.contexts.indices.contains(followers[start]),
        let symbol = Int32(exactly: followers[start + 1]), followers[start + 2] > 0
      else {
        throw DecodingError.dataCorruptedError(
          forKey: .followers, in: container,
          debugDescription: "is no list of context, follower and count")
      }
      count(symbol, in: Int32(clamping: followers[start]), followers[start + 2])
    }
  }

  /// Writes two flat lists in the order in which things were met: of each context the one that it deepens (-1
  /// for none) and the take that it adds, and of each follower its context, its option and its count.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(contexts.flatMap { [$0.parent, $0.symbol] }, forKey: .contexts)
    try container.encode(
      followers.flatMap { [Int($0.context), Int($0.symbol), $0.count] }, forKey: .followers)
  }
}
