extension YAMLNode {
  /// Reads a file, which may have one document. An alias stands for all of what its anchor names; merge keys and tags
  /// have no meaning.
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - path: Its path, for messages.
  /// - Returns: The root; nil if there is none.
  /// - Throws: ``YAMLError`` if the text is no YAML, has a key twice or a second document, is nested more than 100
  ///   levels deep, or has more than 100,000 parts once its aliases are replaced.
  package static func root(of text: String, path: String) throws(YAMLError) -> YAMLNode? {
    var composer = YAMLComposer(path: path, events: try YAMLEvents(text, path: path))
    return try composer.root()
  }
}

/// Makes nodes of events.
private struct YAMLComposer {
  private static let deepest = 100
  private static let largest = 100_000

  /// A node with the number of nodes in it, itself included.
  private typealias Part = (node: YAMLNode, size: Int)

  let path: String
  let events: YAMLEvents
  private var anchors: [String: Part] = [:]
  private var size = 0

  init(path: String, events: YAMLEvents) {
    self.path = path
    self.events = events
  }

  mutating func root() throws(YAMLError) -> YAMLNode? {
    try events.next()
    try events.next()
    if case .end = events.event { return nil }
    try events.next()
    let root = try part(depth: 0).node
    // The end of the document, and that of the file.
    try events.next()
    try events.next()
    guard case .end = events.event else { throw error(events.mark, "a second document begins here; keep one") }
    return root
  }

  /// Returns the part that begins with the current event.
  private mutating func part(depth: Int) throws(YAMLError) -> Part {
    let (mark, anchor, start) = (events.mark, events.anchor, size)
    size += 1
    let content: YAMLNode.Content
    switch events.event {
    case .scalar(let text, let isPlain): content = .scalar(text, isPlain: isPlain)
    case .sequence: content = .sequence(try elements(depth: depth + 1))
    case .mapping: content = .mapping(try members(depth: depth + 1))
    default: return try copy(of: anchor ?? "", mark)
    }
    try check(mark)
    let part = (node: YAMLNode(content: content, mark: mark), size: size - start)
    if let anchor { anchors[anchor] = part }
    return part
  }

  private mutating func copy(of anchor: String, _ mark: YAMLNode.Mark) throws(YAMLError) -> Part {
    guard let part = anchors[anchor] else {
      throw error(mark, "*\(anchor) stands before the end of what &\(anchor) names, or nothing has this name")
    }
    size += part.size - 1
    try check(mark)
    return part
  }

  private func check(_ mark: YAMLNode.Mark) throws(YAMLError) {
    guard size <= Self.largest else { throw error(mark, "the file has more than \(Self.largest) parts up to here") }
  }

  private mutating func elements(depth: Int) throws(YAMLError) -> [YAMLNode] {
    var elements: [YAMLNode] = []
    while try hasMore(depth) { elements.append(try part(depth: depth).node) }
    return elements
  }

  private mutating func members(depth: Int) throws(YAMLError) -> [YAMLNode.Member] {
    var members: [YAMLNode.Member] = []
    var names: Set<[UInt8]> = []
    while try hasMore(depth) {
      let key = try part(depth: depth).node
      if let name = key.string, !names.insert(Array(name.utf8)).inserted {
        throw error(key.mark, "\(name.debugDescription) is there twice; keep one")
      }
      try events.next()
      members.append((key, try part(depth: depth).node))
    }
    return members
  }

  /// Reads the next event, and returns whether a part begins with it.
  private func hasMore(_ depth: Int) throws(YAMLError) -> Bool {
    guard depth <= Self.deepest else { throw error(events.mark, "it is nested more than \(Self.deepest) levels deep") }
    try events.next()
    if case .end = events.event { return false }
    return true
  }

  private func error(_ mark: YAMLNode.Mark, _ reason: String) -> YAMLError { YAMLError(path, mark, reason) }
}
