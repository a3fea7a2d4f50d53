/// What a list or an object consists of and how deep it is nested.
///
/// A host can nest values as deep as it likes, and each level that lets go of the next by itself would cost some
/// of the stack. So a deep branch takes the branches inside over, before it lets go of what it holds.
///
/// Safety: it is changed only where nobody else can see it. A list or an object copies a branch that it shares, and at
/// its end a branch takes from no other that somebody else holds too.
final class JSONBranch: Sendable {
  private struct Content {
    var values: [JSONValue] = []
    var members: [JSONObject.Member] = []
    var depth: Int
  }

  nonisolated(unsafe) private var content: Content

  /// The values of a list.
  var values: [JSONValue] { unsafe content.values }
  /// The members of an object.
  var members: [JSONObject.Member] { unsafe content.members }
  /// The most lists and objects on the way from here to any value, this one included.
  var depth: Int { unsafe content.depth }

  init(values: [JSONValue]) {
    unsafe content = Content(values: values, depth: values.reduce(1) { max($0, $1.depth + 1) })
  }

  init(members: [JSONObject.Member], depth: Int? = nil) {
    unsafe content = Content(members: members, depth: depth ?? Self.depth(over: members))
  }

  private static func depth(over members: [JSONObject.Member]) -> Int {
    members.reduce(1) { max($0, $1.value.depth + 1) }
  }

  /// Changes the members of a branch that is not shared.
  func change(_ body: (inout [JSONObject.Member]) -> Void) {
    body(&(unsafe content.members))
    unsafe content.depth = Self.depth(over: members)
  }

  /// Adds a member to a branch that is not shared.
  func insert(_ member: JSONObject.Member, at index: Int) {
    unsafe content.members.insert(member, at: index)
    unsafe content.depth = max(depth, member.value.depth + 1)
  }

  // MARK: Its end

  /// Values nested no deeper than this let go of each other by themselves.
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

  /// Hands over the branches inside, and keeps nothing.
  private func moveBranches(to pending: inout [JSONBranch]) {
    for value in values { value.branch.map { pending.append($0) } }
    for member in members { member.value.branch.map { pending.append($0) } }
    unsafe content = Content(depth: 0)
  }
}

extension JSONValue {
  /// The most lists and objects on the way to any value inside: 0 for a text or a number, 1 for a list of such.
  ///
  /// - Complexity: O(1).
  public var depth: Int {
    switch self {
    case .array(let list): list.depth
    case .object(let object): object.depth
    default: 0
    }
  }

  /// What holds the values inside; nil where there are none.
  fileprivate var branch: JSONBranch? {
    switch self {
    case .array(let list): list.branch
    case .object(let object): object.branch
    default: nil
    }
  }
}
