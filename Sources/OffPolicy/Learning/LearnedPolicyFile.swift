public import Bandits
internal import Events
public import Specifications

/// The JSON of a learned policy, with notes on what it was learned from.
///
/// The text is the policy's ``Specifications/JSONTree``, with a member `learned-from` for the notes, in lines of at
/// most 100 columns where values allow. It has no times and no paths, so the same log and settings give the same bytes.
public struct LearnedPolicyFile: Sendable, Equatable {
  /// The name of the member with the notes.
  private static let origin = "learned-from"

  /// The policy.
  public var policy: LearnedPolicy
  /// Notes on the log, the experiment and the settings, which change nothing; empty for none.
  public var notes: [JSONTree.Member]

  /// Creates a file.
  public init(_ policy: LearnedPolicy, notes: [JSONTree.Member] = []) {
    (self.policy, self.notes) = (policy, notes)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - text: The JSON.
  ///   - name: The name of the file, for errors.
  /// - Throws: `SpecificationError` if the text is not JSON, or not that of a policy.
  public init(parsing text: String, name: String) throws(SpecificationError) {
    let tree: JSONTree
    do {
      tree = try JSONValue(parsing: text).decoded()
    } catch let error as DecodingError {
      throw SpecificationError("\(name): \(JSONValue.explanation(of: error))")
    } catch {
      throw SpecificationError("\(name): \(error)")
    }
    do throws(SpecificationError) {
      policy = try LearnedPolicy(tree)
    } catch {
      throw SpecificationError("\(name) is not a learned policy: \(error)")
    }
    notes = []
    if case .object(let fields)? = tree[Self.origin] { notes = fields }
  }

  /// The JSON, with a line break at the end.
  public var text: String {
    guard case .object(var members) = policy.tree else { return "" }
    if !notes.isEmpty {
      members.insert(JSONTree.Member(Self.origin, .object(notes)), at: min(4, members.count))
    }
    let bytes = JSONTree.object(members).bytes(.fitting(columns: 100))
    return String(decoding: bytes, as: UTF8.self)
  }
}
