/// Counts the takes that followed each context: the last takes before a take, up to some length.
///
/// A context is a path from the root, the most recent take first, so that every shorter context is a prefix of a
/// longer one. The empty context, which is the root, has no counts here: it counts all takes.
///
/// - Complexity: memory O(contexts + pairs of a context and a follower), about 24 bytes per context and 28 per pair,
///   and up to twice that while arrays have room to grow. With n options and contexts of at most k takes that is at
///   most k of each for every take, and never more than n + n² + ... + nᵏ contexts with n followers each.
struct ContextTree: Sendable {
  private struct Context: Hashable, Sendable {
    let parent: Int32
    let symbol: Int32
    /// The most recently added follower; -1 for none.
    var newestFollower: Int32 = -1
  }

  private struct Follower: Hashable, Sendable {
    let context: Int32
    let symbol: Int32
    /// Saturates at the largest number.
    var count: UInt32
    /// The follower of the same context that was new before; -1 for none.
    let older: Int32
  }

  private var contexts: [Context] = []
  private var followers: [Follower] = []
  // Reconstructed from the two lists, so neither compared nor encoded.
  /// The context of one take by option; -1 for none.
  private var shortest: [Int32] = []
  private var contextAt = EdgeIndex()
  private var followerAt = EdgeIndex()

  /// The number of contexts; they are numbered from 0.
  var contextCount: Int { contexts.count }

  /// Removes all contexts, keeping the allocated memory.
  mutating func removeAll() {
    contexts.removeAll(keepingCapacity: true)
    followers.removeAll(keepingCapacity: true)
    shortest.removeAll(keepingCapacity: true)
    contextAt.removeAll()
    followerAt.removeAll()
  }

  /// Returns the context with one more take before those of another, -1 being the empty one; adds it if it is
  /// missing.
  ///
  /// - Returns: Its number; nil if no number is left for it.
  @inline(__always)
  mutating func child(of context: Int32, _ symbol: Int) -> Int32? {
    if context < 0, shortest.indices.contains(symbol), shortest[symbol] >= 0 {
      return shortest[symbol]
    }
    let symbol = Self.narrow(symbol)
    let known = contextAt.number(context, symbol) {
      contexts[Int($0)].parent == context && contexts[Int($0)].symbol == symbol
    }
    return known ?? makeChild(of: context, symbol)
  }

  /// Counts a follower of the context.
  @inline(__always)
  mutating func count(_ symbol: Int, in context: Int32) {
    count(Self.narrow(symbol), in: context, times: 1)
  }

  /// Calls the closure with each follower of a context and its count.
  @inline(__always)
  func forEachFollower(of context: Int32, _ body: (Int, Int) -> Void) {
    guard contexts.indices.contains(Int(context)) else { return }
    var next = contexts[Int(context)].newestFollower
    while next >= 0 {
      let follower = followers[Int(next)]
      body(Int(follower.symbol), Int(follower.count))
      next = follower.older
    }
  }

  /// No log has enough takes to exhaust the numbers; if one did, the last of them would share a number.
  private static func narrow(_ symbol: Int) -> Int32 { Int32(clamping: symbol) }

  private mutating func makeChild(of context: Int32, _ symbol: Int32) -> Int32? {
    guard let number = Int32(exactly: contexts.count) else { return nil }
    contextAt.enter(number, context, symbol) { [contexts] in
      (contexts[Int($0)].parent, contexts[Int($0)].symbol)
    }
    contexts.append(Context(parent: context, symbol: symbol))
    // Options far beyond the known ones are left to the index, as an array up to them would waste memory.
    if context < 0, symbol <= contexts.count + 64 {
      while shortest.count <= Int(symbol) { shortest.append(-1) }
      shortest[Int(symbol)] = number
    }
    return number
  }

  @inline(__always)
  private mutating func count(_ symbol: Int32, in context: Int32, times: UInt32) {
    let known = followerAt.number(context, symbol) {
      followers[Int($0)].context == context && followers[Int($0)].symbol == symbol
    }
    if let known {
      let (sum, isOver) = followers[Int(known)].count.addingReportingOverflow(times)
      followers[Int(known)].count = isOver ? .max : sum
    } else {
      makeFollower(symbol, in: context, times: times)
    }
  }

  private mutating func makeFollower(_ symbol: Int32, in context: Int32, times: UInt32) {
    guard let number = Int32(exactly: followers.count) else { return }
    followerAt.enter(number, context, symbol) { [followers] in
      (followers[Int($0)].context, followers[Int($0)].symbol)
    }
    let older = contexts[Int(context)].newestFollower
    followers.append(Follower(context: context, symbol: symbol, count: times, older: older))
    contexts[Int(context)].newestFollower = number
  }
}

extension ContextTree: Equatable {
  static func == (a: ContextTree, b: ContextTree) -> Bool {
    a.contexts == b.contexts && a.followers == b.followers
  }
}

extension ContextTree: Codable {
  private enum CodingKeys: String, CodingKey { case contexts, followers }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let contexts = try container.decode([Int32].self, forKey: .contexts)
    let followers = try container.decode([Int].self, forKey: .followers)
    for start in stride(from: 0, to: contexts.count, by: 2) {
      let number = Int32(clamping: start / 2)
      guard start + 1 < contexts.count, contexts[start] >= -1, contexts[start] < number,
        contexts[start + 1] >= 0,
        child(of: contexts[start], Int(contexts[start + 1])) == number
      else {
        throw container.damaged(.contexts, "is no list of contexts, each behind the one that it deepens")
      }
    }
    for start in stride(from: 0, to: followers.count, by: 3) {
      guard start + 2 < followers.count, self.contexts.indices.contains(followers[start]),
        let symbol = Int32(exactly: followers[start + 1]), symbol >= 0,
        let times = UInt32(exactly: followers[start + 2]), times > 0
      else {
        throw container.damaged(.followers, "is no list of context, follower and count")
      }
      count(symbol, in: Int32(clamping: followers[start]), times: times)
    }
  }

  /// Encodes two flat lists in order of first occurrence: for each context its parent (-1 for none) and the take that
  /// it adds, and for each follower its context, its option and its count.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(contexts.flatMap { [$0.parent, $0.symbol] }, forKey: .contexts)
    try container.encode(
      followers.flatMap { [Int($0.context), Int($0.symbol), Int($0.count)] }, forKey: .followers)
  }
}
