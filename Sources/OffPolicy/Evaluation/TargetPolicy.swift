public import Events
public import Specifications

/// A policy that is evaluated on the log of another one: it gives each choice of a logged decision a probability.
///
/// The probabilities depend on the situation of the decision only, not on what was decided or earned before.
public protocol TargetPolicy: Specified where ParameterSources == PolicyFiles {
  /// The attributes of the context by which it chooses (default: none).
  var contextAttributes: [String] { get }

  /// The attributes of the choices by which it chooses (default: none).
  var variantFeatures: [String] { get }

  /// The distinct variants that it names and chooses (default: none). A verdict says which of them the log does not
  /// have; a policy of which it has none has no probabilities.
  var namedVariants: [String] { get }

  /// Whether it needs the reward model's predictions for the choices (default: false).
  var needsModel: Bool { get }

  /// Whether it needs the probabilities that the log gives the choices of each decision (default: false).
  var needsLoggedProbabilities: Bool { get }

  /// Whether it is the policy that wrote the log (default: false). Where the log does not have its probabilities, the
  /// choice that was made stands for them: the decision has weight 1, and the model's prediction for the choice is an
  /// unbiased one of the policy's value.
  var isLoggingPolicy: Bool { get }

  /// Creates the policy that a specification describes.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters.
  ///   - files: The files that it may name.
  /// - Throws: `SpecificationError` if a parameter or a file is invalid.
  init(_ specification: Specification, _ files: PolicyFiles) throws(SpecificationError)

  /// Returns a probability for each choice, from 0 to 1. They sum to 1, or to less if the policy would choose something
  /// that is not among the choices; nil if the situation does not say.
  func probabilities(in situation: TargetSituation) -> [Double]?

  /// Returns whether the situation has what the policy never saw when it was learned: its slot, one of the choices, or
  /// a value of an attribute (default: false).
  func isUnseen(_ situation: TargetSituation) -> Bool
}

/// The files that target policies name.
public struct PolicyFiles: Sendable {
  /// Returns the text of a file, given its path.
  public let text: @Sendable (String) throws(SpecificationError) -> String

  /// Creates the files that a function reads.
  public init(_ text: @escaping @Sendable (String) throws(SpecificationError) -> String) {
    self.text = text
  }
}

extension ParameterField where Made: TargetPolicy {
  /// Declares the path of a file, which is required.
  static func file(
    _ key: String, _ meaning: String, missing: String,
    read:
      @escaping @Sendable (inout Made, _ text: String, _ path: String) throws(SpecificationError) ->
      Void
  ) -> Self {
    Self(
      SpecificationInfo.Parameter(key, nil, meaning),
      read: { (made, specification, files) throws(SpecificationError) in
        guard let path = specification[key], !path.isEmpty else {
          throw SpecificationError(missing)
        }
        let text = try files.text(path)
        do throws(SpecificationError) {
          try read(&made, text, path)
        } catch {
          throw SpecificationError(error.description, isOfFile: true)
        }
      }, write: { $0.specification[key] })
  }
}

extension TargetPolicy {
  public var contextAttributes: [String] { [] }

  public var variantFeatures: [String] { [] }

  public var namedVariants: [String] { [] }

  public var needsModel: Bool { false }

  public var needsLoggedProbabilities: Bool { false }

  public var isLoggingPolicy: Bool { false }

  public func isUnseen(_ situation: TargetSituation) -> Bool { false }
}

/// The situation of a logged decision, as seen by a target policy.
public struct TargetSituation: Sendable, Equatable {
  /// The point in the app.
  public var point: String
  /// The slot.
  public var slot: String
  /// The names of the choices, distinct.
  public var choices: [String]
  /// The values of the policy's ``TargetPolicy/contextAttributes``, in their order; nil for absent ones.
  public var attributes: [AttributeValue?]
  /// For each choice the values of the policy's ``TargetPolicy/variantFeatures``, in their order; nil for absent ones.
  public var features: [[AttributeValue?]]
  /// The reward model's prediction for each choice; nil if not needed.
  public var modelled: [Double]?
  /// The probabilities that the logging policy gave the choices; nil if they were not logged or not needed.
  public var logged: [Double]?

  /// Creates a situation.
  public init(
    point: String = "", slot: String = "", choices: [String], attributes: [AttributeValue?] = [],
    features: [[AttributeValue?]] = [], modelled: [Double]? = nil, logged: [Double]? = nil
  ) {
    self.point = point
    self.slot = slot
    self.choices = choices
    self.attributes = attributes
    self.features = features
    self.modelled = modelled
    self.logged = logged
  }
}
