import ArgumentParser
import Events
import Interchange
import Reports
import Specifications
import Threads

/// A group of the options of a report on the command line, made from their declarations.
///
/// The parser finds options in a mirror of the value; this one shows those that the report declares.
struct SectionOptions<Made: Report, Section: OptionSection>: ParsableArguments, CustomReflectable {
  /// The options that were given, with their texts; a flag has the text "".
  private(set) var values: [(name: String, text: String)] = []

  init() {}

  private static var options: [ReportOption<Made>] {
    Made.options.filter { $0.info.group == Section.group }
  }

  var customMirror: Mirror {
    Mirror(
      self, children: Self.options.map { (label: "_" + $0.info.name, value: Self.argument($0)) })
  }

  private static func argument(_ option: ReportOption<Made>) -> Any {
    let info = option.info
    let name = NameSpecification.customLong(info.name)
    let help = ArgumentHelp("\(info.meaning)", valueName: info.value)
    let completion = CompletionKind(info)
    switch info.form {
    case .flag: return Flag(wrappedValue: false, name: name, help: help)
    case .single:
      return Option<String?>(
        name: name, help: help, completion: completion, transform: { try option.checked($0) })
    case .required:
      return Option<String>(
        name: name, help: help, completion: completion, transform: { try option.checked($0) })
    case .repeated:
      return Option<[String]>(
        wrappedValue: [], name: name, parsing: .singleValue, help: help, completion: completion,
        transform: { $0 })
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OptionKey.self)
    for info in Self.options.map(\.info) {
      let key = OptionKey(stringValue: info.name)
      let texts: [String]
      switch info.form {
      case .flag:
        texts = try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? [""] : []
      case .single:
        texts =
          try container.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] } ?? []
      case .required: texts = [try container.decode(Option<String>.self, forKey: key).wrappedValue]
      case .repeated: texts = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
      }
      values += texts.map { (info.name, $0) }
    }
  }
}

/// The name of an option as a key.
private struct OptionKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}

/// A group of help.
protocol OptionSection {
  static var group: OptionInfo.Group { get }
}

enum InputSection: OptionSection { static let group = OptionInfo.Group.input }
enum MetricSection: OptionSection { static let group = OptionInfo.Group.metrics }
enum AttributionSection: OptionSection { static let group = OptionInfo.Group.attribution }
enum StatisticsSection: OptionSection { static let group = OptionInfo.Group.statistics }
enum OutputSection: OptionSection { static let group = OptionInfo.Group.output }

extension OptionGroup {
  /// Creates a group of options under the title that a group has in every verb.
  init(_ group: OptionInfo.Group) { self.init(title: group.rawValue) }
}

/// All options that a report declares, in the groups of help.
struct DeclaredOptions<Made: Report>: ParsableArguments {
  @OptionGroup(.input) var input: SectionOptions<Made, InputSection>
  @OptionGroup(.metrics) var metrics: SectionOptions<Made, MetricSection>
  @OptionGroup(.attribution) var attribution: SectionOptions<Made, AttributionSection>
  @OptionGroup(.statistics) var statistics: SectionOptions<Made, StatisticsSection>
  @OptionGroup(.output) var output: SectionOptions<Made, OutputSection>

  /// The options that were given, with the files that they name.
  private func given(_ files: OptionFiles, _ calendar: DayCalendar?) -> GivenOptions {
    var given = GivenOptions(
      input.values + metrics.values + attribution.values + statistics.values + output.values,
      files: files, prefix: "--")
    given.calendar = calendar
    return given
  }

  /// Calls the closure with the options that were given, of which dates are of a time zone if one is given.
  ///
  /// - Throws: The reason if a file that an option names cannot be read or is wrong; `ValidationError`, which names the
  ///   option, for errors in parameters.
  func reading<Result>(
    in calendar: DayCalendar? = nil, _ body: (GivenOptions) throws -> Result
  ) throws -> Result {
    let unreadable = Monitor<ImportError?>(nil)
    let files = OptionFiles { path throws(SpecificationError) in
      do throws(ImportError) {
        return try Self.text(path)
      } catch {
        unreadable.withLock { $0 = error }
        throw SpecificationError("\(error)")
      }
    }
    do {
      return try body(given(files, calendar))
    } catch let error as ReportError where error.code == .badParameter {
      let word = error.description.prefix { $0 != " " && $0 != ":" }
      let isOption =
        Made.options.contains { $0.info.name == word } || SelectionOption(rawValue: "\(word)") != nil
      throw ValidationError("\(isOption ? "--" : "")\(error)")
    } catch let error as ReportError where error.code == .badData {
      // A file that an option names.
      throw Failure(exitCode: Failure.badData, error.description)
    } catch let error as SpecificationError {
      if let unreadable = unreadable.withLock({ $0 }) { throw unreadable }
      if error.isOfFile { throw Failure(exitCode: Failure.badData, error.description) }
      throw ValidationError("\(error)")
    }
  }

  /// The size of the largest file that an option names, in bytes.
  private static var largest: Int { 1 << 30 }

  private static func text(_ path: String) throws(ImportError) -> String {
    let bytes = try WholeInput.bytes(path, limit: largest) { Interrupt.waitForInput($0) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw ImportError(.badData, "\(path): the file is not UTF-8 text; convert it")
  }
}

extension CompletionKind {
  /// The completions for the value of an option in a shell.
  init(_ option: OptionInfo) {
    switch option.completion {
    case .folder: self = .directory
    case .file(let extensions): self = .file(extensions: extensions)
    case .words:
      let words = option.words.isEmpty ? option.offers() : option.words
      self = words.isEmpty ? .default : .list(words)
    }
  }
}
