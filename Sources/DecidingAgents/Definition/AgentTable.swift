package import DecidingCore
internal import Events

/// The members of a part of an agent's definition.
package typealias AgentTable<Owner: Sendable> = DefinitionTable<Owner, AgentError>
typealias AgentReader = DefinitionReader<AgentError>
typealias AgentKind<Value: Sendable> = DefinitionKind<Value, AgentError>

extension AgentError: DefinitionProblem {
  /// The words of messages about definitions.
  package static let wording = DefinitionWording.brief

  /// Creates the error of a member of a definition.
  package static func invalid(_ path: String, _ reason: String) -> AgentError {
    .invalidDefinition(path: path, reason: reason)
  }
}

extension AgentKind where Value == String, Problem == AgentError {
  /// A code that is not checked.
  static var code: Self { text(AgentCode.schema) }

  /// The code of something.
  static func code(_ role: AgentCodeRole) -> Self {
    code.checked { (code, _) throws(AgentError) in try AgentCode.check(code, role: role) }
  }
}

extension AgentKind where Problem == AgentError {
  /// A list of parts, each with a code of its own.
  static func list<Element>(
    of element: AgentKind<Element>, by code: any KeyPath<Element, String> & Sendable
  ) -> Self where Value == [Element] {
    list(of: element).checked { (parts, path) throws(AgentError) in
      var seen: Set<String> = []
      for (index, part) in parts.enumerated() where !seen.insert(part[keyPath: code]).inserted {
        throw .invalid("\(path).\(index)", "has \"\(part[keyPath: code])\" once more")
      }
    }
  }
}
