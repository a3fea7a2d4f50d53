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
