/// The routes of the service, found by method and path.
struct RouteTable: Sendable {
  /// The result of a search.
  enum Match: Sendable {
    case found(Route, PathParameters)
    /// The path exists, but not with this method: the methods that it has.
    case otherMethods([Route.Method], ProblemFormat)
    case none
  }

  /// The routes, more specific patterns first.
  let routes: [Route]

  init(_ routes: [Route]) {
    self.routes = routes.sorted { RoutePattern.isMoreSpecific($0.pattern, $1.pattern) }
  }

  /// Returns the route for a request. HEAD is answered by the route for GET.
  ///
  /// The most specific pattern that matches decides which routes belong to the path, whatever their methods.
  ///
  /// - Complexity: O(number of routes).
  func match(_ method: String, _ segments: [String]) -> Match {
    var others: [Route] = []
    for route in routes {
      guard let parameters = route.pattern.match(segments) else { continue }
      if let other = others.first, other.pattern != route.pattern,
        RoutePattern.isMoreSpecific(other.pattern, route.pattern)
      {
        break
      }
      if route.method.rawValue == method || method == "HEAD" && route.method == .get {
        return .found(route, parameters)
      }
      others.append(route)
    }
    guard let first = others.first else { return .none }
    return .otherMethods(others.map(\.method), first.problems)
  }
}
