/// The pattern of a path: `/{owner}/{agent}/decision/{choices}`, or `/{owner}/{agent}/decisions/{slots...}` for all
/// segments that are left.
struct RoutePattern: Sendable, Hashable, ExpressibleByStringLiteral {
  /// A part of a pattern.
  enum Part: Sendable, Hashable {
    case literal(String)
    /// Any one segment that is not empty.
    case parameter(String)
    /// All segments that are left, at least one.
    case rest(String)
  }

  /// The pattern as text.
  let text: String
  let parts: [Part]

  init(stringLiteral text: String) {
    self.text = text
    parts = text.split(separator: "/").map { part in
      guard part.hasPrefix("{"), part.hasSuffix("}") else { return .literal(String(part)) }
      let name = part.dropFirst().dropLast()
      return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
    }
  }

  /// Returns the values of the parameters in a path; nil if the path does not match.
  func match(_ segments: [String]) -> PathParameters? {
    var found = PathParameters()
    for (index, part) in parts.enumerated() {
      guard index < segments.count else { return nil }
      switch part {
      case .literal(let text): if !text.utf8.elementsEqual(segments[index].utf8) { return nil }
      case .parameter(let name):
        if segments[index].isEmpty { return nil }
        found.values.append((name, segments[index]))
      case .rest:
        found.rest = Array(segments[index...])
        return found
      }
    }
    return segments.count == parts.count ? found : nil
  }

  /// Orders patterns by how specific they are: a literal comes before a parameter, and this before a rest.
  static func isMoreSpecific(_ a: RoutePattern, _ b: RoutePattern) -> Bool {
    let (a, b) = (a.parts.map(\.rank), b.parts.map(\.rank))
    return a.lexicographicallyPrecedes(b)
  }
}

extension RoutePattern.Part {
  fileprivate var rank: Int {
    switch self {
    case .literal: 0
    case .parameter: 1
    case .rest: 2
    }
  }
}

/// The values of the parameters in a path, percent-decoded.
struct PathParameters: Sendable {
  fileprivate(set) var values: [(name: String, value: String)] = []
  /// The segments that are left; none if the pattern does not end with a rest.
  fileprivate(set) var rest: [String] = []

  /// Returns the value of a parameter; empty if the pattern does not have it.
  subscript(name: String) -> String { values.first { $0.name == name }?.value ?? "" }
}
