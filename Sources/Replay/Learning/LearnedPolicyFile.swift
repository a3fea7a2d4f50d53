public import Bandits
internal import Events
public import Specifications

/// The JSON of a learned policy, with notes on what it was learned from.
///
/// The text is the policy's ``Bandits/ValueTree``, with a member `learned-from` for the notes, in lines of at most 100
/// columns where values allow. It has no times and no paths, so the same log and settings give the same bytes.
public struct LearnedPolicyFile: Sendable, Equatable {
  /// The name of the member with the notes.
  private static let origin = "learned-from"

  /// The policy.
  public var policy: LearnedPolicy
  /// Notes on the log, the experiment and the settings, which change nothing; empty for none.
  public var notes: [ValueTree.Field]

  /// Creates a file.
  public init(_ policy: LearnedPolicy, notes: [ValueTree.Field] = []) {
    (self.policy, self.notes) = (policy, notes)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - text: The JSON.
  ///   - name: The name of the file, for errors.
  /// - Throws: `SpecificationError` if the text is not JSON, or not that of a policy.
  public init(parsing text: String, name: String) throws(SpecificationError) {
    let tree: ValueTree
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
    if case .fields(let fields)? = tree[Self.origin] { notes = fields }
  }

  /// The JSON, with a line break at the end.
  public var text: String {
    guard case .fields(var fields) = policy.tree else { return "" }
    if !notes.isEmpty {
      fields.insert(ValueTree.Field(Self.origin, .fields(notes)), at: min(4, fields.count))
    }
    return ValueTree.fields(fields).json + "\n"
  }
}

extension ValueTree {
  /// JSON in which a list or object has one line if that fits, otherwise one line for each value.
  var json: String {
    var lines = ""
    write(indent: "", reserved: 0, to: &lines)
    return lines
  }

  /// The most columns of a line.
  private static let columns = 100

  private func write(indent: String, reserved: Int, to lines: inout String) {
    let line = line
    guard indent.utf8.count + reserved + line.utf8.count > Self.columns, !parts.isEmpty else {
      lines += line
      return
    }
    let isList = if case .list = self { true } else { false }
    lines += isList ? "[" : "{"
    for (index, part) in parts.enumerated() {
      lines += (index == 0 ? "\n" : ",\n") + indent + "  " + part.label
      // The comma.
      part.value.write(indent: indent + "  ", reserved: part.label.utf8.count + 1, to: &lines)
    }
    lines += "\n" + indent + (isList ? "]" : "}")
  }

  /// The values of a list or object, with the text before each.
  private var parts: [(label: String, value: ValueTree)] {
    switch self {
    case .text, .number, .flag: []
    case .list(let values): values.map { ("", $0) }
    case .fields(let fields):
      fields.map { (JSONValue.string($0.name).description + ": ", $0.value) }
    }
  }

  /// JSON in one line.
  private var line: String {
    switch self {
    case .text(let text): JSONValue.string(text).description
    case .number(let number): JSONValue.number(number).description
    case .flag(let flag): JSONValue.boolean(flag).description
    case .list: "[" + parts.map(\.value.line).joined(separator: ", ") + "]"
    case .fields: "{" + parts.map { $0.label + $0.value.line }.joined(separator: ", ") + "}"
    }
  }
}
