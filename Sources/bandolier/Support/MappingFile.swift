import Interchange
import Specifications
import YAML

/// The mapping of `import --map`: entries on the command line, and YAML files with entries.
///
/// A YAML file maps fields to columns, `unit: user.id`; a value behind `=` is the same in all rows,
/// `experiment: =checkout`; of a list, `[user_id, device_id]`, the first with a content counts; `context`, `features`,
/// `members` and `metadata` may be nested; `events` lists further events of the same row.
enum MappingFile {
  private static let largest = 1 << 20

  /// Returns the mapping of arguments: entries, `FIELD=COLUMN` or `FIELD:=VALUE`, and files, which are those without
  /// `=`. An argument's entry takes the place of a file's.
  static func mapping(_ arguments: [String]) throws(SpecificationError) -> EventMapping {
    var (given, filed) = ([String](), [String]())
    for argument in arguments {
      if argument.utf8.contains(UInt8(ascii: "=")) {
        given.append(argument)
      } else {
        filed += try file(argument)
      }
    }
    return try EventMapping(given, changing: filed)
  }

  private static func file(_ path: String) throws(SpecificationError) -> [String] {
    do {
      let bytes = try WholeInput.bytes(path, limit: largest, waitForInput: Interrupt.waitForInput)
      guard let mapping = try YAMLNode.root(of: String(decoding: bytes, as: UTF8.self), path: path)?.mapping else {
        throw SpecificationError("\(path): it must map fields to columns, such as unit: user_id")
      }
      return try entries(mapping, path, prefix: "", isFirst: true)
    } catch let error as YAMLError {
      throw SpecificationError(error.description)
    } catch let error as SpecificationError {
      throw error
    } catch {
      throw SpecificationError(
        "\(error); a mapping is FIELD=COLUMN, FIELD:=VALUE or the path of a YAML file")
    }
  }

  private static func entries(
    _ mapping: [YAMLNode.Member], _ path: String, prefix: String, isFirst: Bool
  ) throws(SpecificationError) -> [String] {
    var entries: [String] = []
    for (key, value) in mapping {
      let name = prefix + (key.string ?? "")
      if let text = value.string {
        entries.append(text.hasPrefix("=") ? "\(name):=\(text.dropFirst())" : "\(name)=\(text)")
      } else if name != "events", let names = value.sequence?.compactMap(\.string), !names.isEmpty,
        names.count == value.sequence?.count
      {
        let isList = key.string == "each" || name.hasSuffix("features.*") || name.hasPrefix("members.")
        let separator = isList ? "," : "|"
        if names.contains(where: { $0.contains(separator) }) || ["when", "unless"].contains(key.string) {
          throw SpecificationError(
            "\(path): \(name) is a list, of which each element must be the name of one column without \(separator); "
              + "write a condition as one text: event == order | refund")
        }
        entries.append("\(name)=\(names.joined(separator: separator))")
      } else if let nested = value.mapping {
        entries += try self.entries(nested, path, prefix: "\(name).", isFirst: false)
      } else if let list = value.sequence, isFirst, name == "events" {
        for (index, node) in list.enumerated() {
          guard let event = node.mapping else {
            throw SpecificationError("\(path): each of the events must map fields to columns")
          }
          entries += try self.entries(event, path, prefix: "\(index + 2).", isFirst: false)
        }
      } else {
        throw SpecificationError(
          "\(path): \(name) must be the name of a column, or a value behind =")
      }
    }
    return entries
  }
}
