package import DecidingCore
internal import Events

/// A reader of one value of a configuration, with its path for messages, such as `experiments[0].id`.
typealias ConfigurationReader = DefinitionReader<ExperimentError>

/// The members of a part of a configuration.
typealias ConfigurationTable<Owner: Sendable> = DefinitionTable<Owner, ExperimentError>

/// A kind of value in a configuration.
typealias ConfigurationKind<Value: Sendable> = DefinitionKind<Value, ExperimentError>

extension ExperimentError: DefinitionProblem {
  /// The words of messages about configurations.
  package static let wording = DefinitionWording.full

  /// Creates the error of a member of a configuration.
  package static func invalid(_ path: String, _ reason: String) -> ExperimentError {
    .invalidConfiguration(path: path, reason: reason)
  }
}

extension ConfigurationReader where Problem == ExperimentError {
  /// Reads an id: a text, or an integer as its decimal digits.
  func id() throws(ExperimentError) -> String {
    switch value {
    case .string(let text) where !text.isEmpty: return text
    case .string: throw problem("is empty; give an id")
    case .integer(let number): return String(number)
    default: throw problem("must be an id: a text or a whole number, not \(value.kindName)")
    }
  }
}

extension ConfigurationKind where Value: Identifier, Problem == ExperimentError {
  /// An id.
  static var id: Self {
    Self { (reader) throws(ExperimentError) in
      Value(try reader.id())
    } write: {
      .string($0.rawValue)
    }
  }
}
