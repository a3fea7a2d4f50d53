public import ArgumentParser
public import Interchange
import Reports
import Specifications
import Statistics
import Tables

extension ImportSession.ErrorPolicy: ExpressibleByArgument {}

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Append other systems' logs, plain or gzip, and other Bandolier logs.",
    usage: """
      bandolier import <input> ... --log <log> [<options>]
      bandolier import --suggest <input>
      """,
    discussion: """
      Importing is idempotent: the same file again, or a longer version of it, adds only what the log does not have. \
      Events are the same if kind, id, slot and content are; without an id, if the content is, as often as it occurs \
      in the file: two equal lines of one file are two events. Events that share an id and differ are all kept and \
      counted under quality, unless the format promises unique ids: `duplicates 5, refused 2 (id of another event)`. \
      A file that was imported with another mapping is refused, because its events would count twice (--again imports \
      it).

      A folder that is a Bandolier log is one input: its events, in its order, with everything that they have. \
      Importing logs gives what importing the files that they were made from gives. An empty input adds nothing; \
      if all are empty, the new log has no events.

      A table of your own needs a mapping: --map FIELD=COLUMN for each field, or FIELD:=VALUE for the same \
      value in all rows. Fields: \(EventField.Plain.allCases.map(\.name).joined(separator: ", ")), \
      context.NAME, features.VARIANT.NAME, metadata.NAME; context.* and metadata.* stand for all other columns \
      (--map 'context.*=*'). Of several columns, --map 'unit=user_id|device_id', the first with a content counts. \
      --map 'revenue=cents / 100' divides a number, --map 'features.*=item.*' makes the members of an object features \
      of the variant, and --map members.params=key,value reads a list of such objects as one, with params.NAME. \
      A row with a variant is a decision. 2.FIELD belongs to a second event of the row, which --map \
      '2.when=event==order|refund' makes of the rows whose column has one of these contents. `bandolier formats \
      segment --mapping` prints what a format does as such a mapping.

      Inputs are JSON, CSV, TSV, Arrow streams and files (.arrows, .arrow, .feather), and Parquet, which python3 reads \
      if it has pyarrow or DuckDB.
      """)

  @Argument(
    help: ArgumentHelp(
      "Files, folders, logs, patterns in quotes, or - for standard input.", valueName: "input"),
    completion: .anyFile)
  var inputs: [String]

  @OptionGroup(.input) var read: ImportInputOptions
  @OptionGroup(.output) var written: ImportOutputOptions
  @OptionGroup var progress: ProgressOptions

  func validate() throws {
    guard written.log == nil else { return }
    if !written.suggest, !written.dryRun {
      throw ValidationError("name the log with --log, or try the import first with --dry-run")
    }
  }

  func run() throws {
    let importer = try importer()
    let paths = try InputPaths.expanded(inputs)
    if written.suggest { return try printSuggestion(importer, paths) }
    Interrupt.postpone()
    if let rejects = written.rejects, let input = paths.first(where: { InputPaths.areSame($0, rejects) }) {
      throw Failure(
        exitCode: Failure.usage,
        "--rejects \(rejects) is the input \(input), which it would replace; name another file")
    }
    let file = try written.rejects.map { try AtomicFile(path: $0, force: written.force) }
    var run = ImportRun(
      importer: importer, paths: paths, onError: read.onError,
      keepsPlaceholders: read.placeholders.keepPlaceholderUnits, rejects: file,
      progress: progress.mode)
    run.again = written.again
    do {
      // The first input is opened before the log, so that a wrong file name creates no log.
      if let log = written.log, !written.dryRun {
        let notes = ImportNotes(log, isKeeping: written.seed == nil)
        try run.append(notes.open(paths[0], importer), to: log, seed: written.seed, notes)
      } else {
        try run.preview(importer.open(paths[0]), to: written.log)
      }
    } catch {
      file?.abandon()
      throw error
    }
  }

  private func importer() throws -> Importer {
    do throws(SpecificationError) {
      var specification = try Specification(parsing: read.format)
      if let items = read.items {
        guard specification["items"] == nil else {
          throw SpecificationError("--items is given twice, and once in --format; keep one")
        }
        specification.parameters.append(.init(key: "items", value: items))
      }
      var importer = try Importer(
        specification, experiment: read.experiment, waitForInput: Interrupt.waitForInput)
      importer.mapping = try mapping()
      guard importer.mapping == nil || ["auto", "csv", "arrow"].contains(specification.name) else {
        throw SpecificationError(
          "--map is for tables of your own; the format \(specification.name) needs none")
      }
      importer.onRecognized = { path, format in
        Message.print("\(path): \(format.type.info.name) (\(format.reason))")
      }
      importer.onLeftOut = { path, columns in
        let names = columns.prefix(20).joined(separator: ", ")
        let more = columns.count > 20 ? " and \(columns.count - 20) more" : ""
        Message.print(
          "\(path): columns left out: \(names)\(more); map them, or keep all with "
            + "--map 'context.*=*' or 'metadata.*=*'")
      }
      return importer
    } catch {
      throw Failure(exitCode: Failure.usage, error.description)
    }
  }

  /// Returns the mapping that is given, and prints it.
  private func mapping() throws(SpecificationError) -> EventMapping? {
    guard !read.map.isEmpty else { return nil }
    guard read.items == nil else {
      throw SpecificationError("--items belongs to the format obd, and --map to tables of your own; leave one out")
    }
    let mapping = try MappingFile.mapping(read.map)
    Message.print("mapping: \(mapping.entries.joined(separator: " "))")
    return mapping
  }

  private func printSuggestion(_ importer: Importer, _ paths: [String]) throws {
    for path in paths {
      guard let suggestion = MappingSuggestion(try importer.sample(path)) else {
        throw Failure(
          exitCode: Failure.badData,
          "\(path): it is neither CSV with a header, JSON with an object nor Arrow; a mapping needs names of columns"
        )
      }
      if let format = try importer.recognizedFormat(of: path) {
        print(
          "# \(format.type.info.name) (\(format.reason)): an import without --map knows this format, and all of its "
            + "fields"
        )
      }
      print(suggestion.yaml, terminator: "")
    }
  }
}

/// The options of how `import` reads its inputs.
struct ImportInputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "One of the formats that `bandolier formats` lists, or auto (recognized by the content).",
      valueName: "format"), completion: .importFormat)
  var format: String = "auto"

  @Option(
    help: ArgumentHelp(
      "FIELD=COLUMN or FIELD:=VALUE, can be given more than once; or a YAML file with the mapping, of which such an "
        + "entry replaces that of its field.",
      valueName: "mapping"), completion: .yaml)
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "The experiment, where the format has none (default: the file's name without its end).",
      valueName: "name"))
  var experiment: String?

  @Option(
    help: ArgumentHelp("Features of the items, for obd (item_context.csv).", valueName: "file"),
    completion: .csv)
  var items: String?

  @Option(
    help: ArgumentHelp("Invalid records: stop at the first one, or skip them.", valueName: "what"))
  var onError: ImportSession.ErrorPolicy = .stop

  @OptionGroup var placeholders: PlaceholderOptions
}

/// The options of what `import` writes.
struct ImportOutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder of the log; created if it does not exist.", valueName: "log"),
    completion: .log)
  var log: String?

  @Option(
    help: ArgumentHelp(
      "The seed of the log's id, so that the same inputs give the same bytes; give each log its own (default: a "
        + "random id). Such a log keeps no notes of the files that were imported, so that none is refused for another "
        + "mapping.", valueName: "seed"),
    transform: OptionValue.integer)
  var seed: UInt64?

  @Flag(
    help:
      "Import a file that was imported with another mapping, beside its earlier events (default: refuse it)."
  )
  var again = false

  @Flag(
    help: ArgumentHelp(
      "Print a mapping for --map, proposed from the names of the columns and their content in the first 1,000 records, "
        + "and import nothing."))
  var suggest = false

  @Flag(
    help:
      "Print the events of the first records as JSON Lines, count the rest, and import nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Write rejected records to a CSV file: line, byte offset, reason, text; of a table, the row of its header comes "
        + "first. Correct the texts and import the file with the same options. With --on-error stop these are the "
        + "records whose unit is missing.", valueName: "file"),
    completion: .csv)
  var rejects: String?

  @Flag(help: "Replace the file of rejects if it exists.")
  var force = false
}

extension ImportCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier import datasets/storefront.jsonl.gz --log shop.log \
      --on-error skip --rejects rejects.csv
    """#,
    #"""
    bandolier log split datasets/storefront.log --into 2 \
      -o part && bandolier import part-0 part-1 \
      --log both.log --seed 1
    """#,
    #"""
    printf 'ts,user,group\n1767607200,u1,A\n' > v.csv && \
      bandolier import v.csv --log v.log --map time=ts \
      --map unit=user --map variant=group
    """#,
  ]
}
