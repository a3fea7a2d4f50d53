/// A regular expression searched by going back, for small patterns and texts: one way after the other, each to its
/// end. It reads less than the real one: letters, `.`, `^`, `$`, `\b`, classes of letters, groups, `|` and repetitions.
struct NaivePattern {
  indirect enum Node {
    case one((Character) -> Bool)
    case start, end, boundary
    case sequence([Node])
    case either([Node])
    case repeated(Node, Int, Int)
  }

  let node: Node

  func occurs(in text: String) -> Bool {
    let text = Array(text)
    return text.indices.contains { match(node, text, $0) { _ in true } }
      || match(node, text, text.count) { _ in true }
  }

  private func match(_ node: Node, _ text: [Character], _ place: Int, _ then: (Int) -> Bool) -> Bool {
    switch node {
    case .one(let takes): return place < text.count && takes(text[place]) && then(place + 1)
    case .start: return place == 0 && then(place)
    case .end: return place == text.count && then(place)
    case .boundary:
      let before = place > 0 && text[place - 1] != " "
      let after = place < text.count && text[place] != " "
      return before != after && then(place)
    case .sequence(let nodes):
      guard let first = nodes.first else { return then(place) }
      return match(first, text, place) {
        match(.sequence(Array(nodes.dropFirst())), text, $0, then)
      }
    case .either(let nodes): return nodes.contains { match($0, text, place, then) }
    case .repeated(let node, let least, let most):
      if least == 0, then(place) { return true }
      guard most > 0 else { return false }
      return match(node, text, place) { next in
        // A round that takes nothing leads nowhere new, unless it is one that there must be.
        if next == place, least == 0 { return false }
        return match(.repeated(node, max(0, least - 1), most - 1), text, next, then)
      }
    }
  }
}
