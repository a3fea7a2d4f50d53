/// What there is to say about something that is written as a ``Specification``: a policy, an environment, a predictor.
public struct Guide: Hashable, Sendable {
  /// One parameter.
  public struct Parameter: Hashable, Sendable {
    /// Its name.
    public let key: String
    /// Its value when it is not given, as written; nil where it must be given, or where leaving it out means
    /// something else.
    public let standard: String?
    /// What it does, and what it may be.
    public let meaning: String

    /// Describes a parameter.
    public init(_ key: String, _ standard: String?, _ meaning: String) {
      self.key = key
      self.standard = standard
      self.meaning = meaning
    }
  }

  /// How it is called.
  public let name: String
  /// What it does, in one line.
  public let summary: String
  /// What it can be given.
  public let parameters: [Parameter]
  /// Where it is defined: the paper or book, and the place in it.
  public let source: String

  /// Describes something.
  public init(_ name: String, _ summary: String, _ parameters: [Parameter] = [], source: String) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.source = source
  }
}
