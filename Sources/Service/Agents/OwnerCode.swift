internal import DecidingAgents

/// The code of the owner of agents: the first segment of their paths.
enum OwnerCode {
  /// The first segments of other paths, which no owner can have.
  static let reserved = [
    "docs", "favicon.ico", "healthz", "metrics", "ofrep", "openapi.json", "readyz", "robots.txt",
    "schema", "v1", ".well-known",
  ]

  /// Checks the code of an owner.
  ///
  /// - Throws: ``ServiceProblem`` if it is not a code, or is reserved.
  static func check(_ owner: String) throws(ServiceProblem) {
    guard !reserved.contains(owner), owner != "-" else {
      throw ServiceProblem(
        400, "reserved-owner",
        "the owner cannot be \"\(owner)\", with which other paths begin; choose another code")
    }
    do throws(AgentError) {
      try AgentCode.check(owner, role: .agent)
    } catch {
      throw ServiceProblem(
        400, "invalid-owner",
        "the owner \"\(owner)\" must have 1 to 50 characters: letters, digits, _ and -")
    }
  }
}
