/// The names of a ``SimulatedDisk``: which node each path leads to now, which after a power cut, and the
/// changes in between.
struct SimulatedFolders {
  enum Change {
    case add(String, node: Int)
    case remove(String)
    /// One change, so that a power cut takes it whole or not at all.
    case rename(String, to: String, node: Int)
  }

  struct Folder {
    var seen: [String: Int] = [:]
    var durable: [String: Int] = [:]
    var pending: [Change] = []
  }

  /// By node. The root is node 0.
  private(set) var folders: [Int: Folder] = [0: Folder()]

  /// The node that a path leads to.
  func node(_ path: String) -> Int? {
    var node = 0
    for part in path.split(separator: "/") {
      guard let next = folders[node]?.seen[String(part)] else { return nil }
      node = next
    }
    return node
  }

  func folder(_ path: String) -> Folder? { node(path).flatMap { folders[$0] } }

  static func split(_ path: String) -> (parent: String, name: String) {
    let parts = path.split(separator: "/").map(String.init)
    return (parts.dropLast().joined(separator: "/"), parts.last ?? "")
  }

  mutating func change(in parent: Int, _ change: Change) {
    guard var folder = folders[parent] else { return }
    Self.apply(change, to: &folder.seen)
    folder.pending.append(change)
    folders[parent] = folder
  }

  mutating func makeFolder(_ node: Int) { folders[node] = Folder() }

  mutating func sync(_ node: Int) {
    guard var folder = folders[node] else { return }
    for change in folder.pending { Self.apply(change, to: &folder.durable) }
    folder.pending = []
    folders[node] = folder
  }

  /// What the folders may be after a power cut: any subset of the changes since their last sync.
  func afterPowerCut(
    _ luck: SimulatedContent.Luck, using random: inout SeededGenerator
  ) -> SimulatedFolders {
    var result = self
    for node in folders.keys.sorted() {
      guard let folder = folders[node] else { continue }
      var names = folder.durable
      for change in folder.pending {
        let isKept =
          switch luck {
          case .everythingKept: true
          case .everythingLost: false
          case .chance: random.chance(0.5)
          }
        if isKept { Self.apply(change, to: &names) }
      }
      result.folders[node] = Folder(seen: names, durable: names)
    }
    return result
  }

  private static func apply(_ change: Change, to names: inout [String: Int]) {
    switch change {
    case .add(let name, let node): names[name] = node
    case .remove(let name): names[name] = nil
    case .rename(let old, let new, let node):
      names[old] = nil
      names[new] = node
    }
  }
}
