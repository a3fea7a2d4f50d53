/// What holds a JSON value: an element of a list, or a member of an object.
protocol JSONChild: Sendable {
  /// The value that is held.
  var held: JSONValue { get }
}

/// The children of one list or object and how deep they are nested.
///
/// A host can nest values as deep as it likes, and each level that lets go of the next by itself would cost some
/// of the stack. So a deep branch takes its children's children over, before it lets go of the children.
///
/// It is changed only where nobody else can see it: a list or an object copies a branch that it shares.
final class JSONBranch<Child: JSONChild>: @unchecked Sendable {
  private(set) var children: [Child]
  /// The most lists and objects on the way from here to any value, this one included.
  private(set) var depth: Int

  init(_ children: [Child], depth: Int? = nil) {
    self.children = children
    self.depth = depth ?? Self.depth(over: children)
  }

  private static func depth(over children: [Child]) -> Int {
    children.reduce(1) { max($0, $1.held.depth + 1) }
  }

  /// Changes the children of a branch that is not shared.
  func change(_ body: (inout [Child]) -> Void) {
    body(&children)
    depth = Self.depth(over: children)
  }

  /// Adds a child to a branch that is not shared.
  func insert(_ child: Child, at index: Int) {
    children.insert(child, at: index)
    depth = max(depth, child.held.depth + 1)
  }

  /// Hands over the values, and keeps none.
  func moveValues(to pending: inout [JSONValue]) {
    for child in children where child.held.depth > 0 { pending.append(child.held) }
    children = []
  }

  /// Values nested no deeper than this let go of each other by themselves.
  private static var shallow: Int { 64 }

  deinit {
    guard depth > Self.shallow else { return }
    var pending: [JSONValue] = []
    moveValues(to: &pending)
    while var value = pending.popLast() { value.moveValues(to: &pending) }
  }
}

extension JSONValue: JSONChild {
  var held: JSONValue { self }

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

  /// Hands over the values inside, unless somebody else holds them too.
  fileprivate mutating func moveValues(to pending: inout [JSONValue]) {
    switch self {
    case .array(var list):
      self = .null
      list.moveValues(to: &pending)
    case .object(var object):
      self = .null
      object.moveValues(to: &pending)
    default: break
    }
  }
}
