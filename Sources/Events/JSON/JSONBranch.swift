/// The contents of a list or an object, and its nesting depth.
///
/// Values may be nested arbitrarily deep, and recursive deallocation would use stack space for each level. A deep
/// branch therefore takes over the nested branches before it releases its contents.
final class JSONBranch: Sendable {
  private struct Content {
    var values: [JSONValue] = []
    var members: [JSONObject.Member] = []
    var depth: Int
  }

  // Safety: it is mutated only while it is not shared. A list or an object copies a branch that it shares, and on
  // deallocation a branch takes nothing from another that is also referenced elsewhere.
  nonisolated(unsafe) private var content: Content

  // Safety: these only read, and a branch that other threads may read as well is not mutated.
  /// The values of a list.
  var values: [JSONValue] { unsafe content.values }
  /// The members of an object.
  var members: [JSONObject.Member] { unsafe content.members }
  /// The nesting depth, including this branch.
  var depth: Int { unsafe content.depth }

  init(values: [JSONValue]) {
    // Safety: nobody else has the branch before its initializer ends.
    unsafe content = Content(values: values, depth: values.reduce(1) { max($0, $1.depth + 1) })
  }

  init(members: [JSONObject.Member], depth: Int? = nil) {
    // Safety: nobody else has the branch before its initializer ends.
    unsafe content = Content(members: members, depth: depth ?? Self.depth(over: members))
  }

  private static func depth(over members: [JSONObject.Member]) -> Int {
    members.reduce(1) { max($0, $1.value.depth + 1) }
  }

  /// Mutates the members of a branch that is not shared.
  func change(_ body: (inout [JSONObject.Member]) -> Void) {
    // Safety: the caller has the only reference, as `JSONObject.ownBranch` sees to.
    body(&(unsafe content.members))
    unsafe content.depth = Self.depth(over: members)
  }

  /// Inserts a member into a branch that is not shared.
  func insert(_ member: JSONObject.Member, at index: Int) {
    // Safety: the caller has the only reference, as `JSONObject.ownBranch` sees to.
    unsafe content.members.insert(member, at: index)
    unsafe content.depth = max(depth, member.value.depth + 1)
  }

  // MARK: Deallocation

  /// The nesting depth up to which values are deallocated recursively.
  private static var shallow: Int { 64 }

  deinit {
    guard depth > Self.shallow else { return }
    var pending: [JSONBranch] = []
    moveBranches(to: &pending)
    while !pending.isEmpty {
      let isOwn = isKnownUniquelyReferenced(&pending[pending.count - 1])
      let branch = pending.removeLast()
      if isOwn { branch.moveBranches(to: &pending) }
    }
  }

  /// Moves the nested branches out, leaving this one empty.
  private func moveBranches(to pending: inout [JSONBranch]) {
    for value in values { value.branch.map { pending.append($0) } }
    for member in members { member.value.branch.map { pending.append($0) } }
    // Safety: `deinit` calls this for its own branch, and for others only if it found theirs to be the only reference.
    unsafe content = Content(depth: 0)
  }
}

extension JSONValue {
  /// The nesting depth: 0 for a text or a number, 1 for a list of such.
  ///
  /// - Complexity: O(1).
  public var depth: Int {
    switch self {
    case .array(let list): list.depth
    case .object(let object): object.depth
    default: 0
    }
  }

  /// The branch that holds the nested values; nil if there are none.
  fileprivate var branch: JSONBranch? {
    switch self {
    case .array(let list): list.branch
    case .object(let object): object.branch
    default: nil
    }
  }
}
