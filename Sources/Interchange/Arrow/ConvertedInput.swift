import Platform

/// The Arrow stream that python3 makes of a file that is read from its end or is compressed: with pyarrow, or, of
/// Parquet, the JSON Lines that it makes with DuckDB.
final class ConvertedInput: ByteInput {
  /// A kind of file.
  enum Kind {
    case parquet
    /// An Arrow file without a stream in it, as Polars writes them: its schema is at its end only.
    case arrow
    /// An Arrow stream or file whose batches are compressed, as those of Feather are unless told otherwise.
    case compressed

    /// What it is, in messages.
    fileprivate var text: String {
      switch self {
      case .parquet: "a Parquet file"
      case .arrow: "an Arrow file with its schema at its end"
      case .compressed: "an Arrow stream or file with compressed batches"
      }
    }
  }

  let name: String
  let totalBytes: Int64?
  private(set) var consumedBytes: Int64 = 0
  private let kind: Kind
  private var process: ChildProcess
  /// The programs that are tried if that one lacks a library.
  private var others: ArraySlice<String>
  private let arguments: [String]
  private let waitForInput: @Sendable (Int32) -> Bool
  private var isAtEnd = false

  /// Returns the kind of an input by its first bytes, without consuming them; nil for any other.
  static func kind(_ source: inout ByteSource) throws(ImportError) -> Kind? {
    let start = source.bytes[source.window]
    if start.starts(with: "PAR1".utf8) { return .parquet }
    let isFile = start.starts(with: "ARROW1".utf8)
    if try ArrowInput.isArrow(&source) { return try ArrowInput.isCompressed(&source) ? .compressed : nil }
    return isFile ? .arrow : nil
  }

  /// Starts reading a file.
  ///
  /// - Parameters:
  ///   - kind: Its kind.
  ///   - path: The path; a pipe cannot be read from its end.
  ///   - file: The file, which is read to its end, so that its content is recorded.
  ///   - waitForInput: Called with the descriptor before each read; if it returns false, reading ends with the error
  ///     `interrupted`.
  /// - Throws: ``ImportError``, which says what to type if there is no python3.
  init(
    _ kind: Kind, path: String, file: ByteSource,
    waitForInput: @escaping @Sendable (Int32) -> Bool
  ) throws(ImportError) {
    name = file.name
    totalBytes = file.input.totalBytes
    self.kind = kind
    self.waitForInput = waitForInput
    guard path != "-", totalBytes != nil else {
      throw ImportError(
        .usage,
        "\(file.name): \(kind.text) cannot be read from a pipe; name the file, or pipe an Arrow stream that is not "
          + "compressed")
    }
    var file = file
    repeat { file.consume(file.window.count) } while try file.extend()
    // A path that begins with a hyphen is no option.
    arguments = ["-c", ConversionScript.text, path.hasPrefix("-") ? "./\(path)" : path]
    others = ConversionScript.programs[...]
    guard let process = Self.start(&others, arguments) else {
      throw Self.notInstalled(kind, path, ConversionScript.nothingFound)
    }
    self.process = process
  }

  /// Starts the first of the programs that can be started; nil if there is none.
  private static func start(
    _ programs: inout ArraySlice<String>, _ arguments: [String]
  ) -> ChildProcess? {
    while let program = programs.popFirst() {
      if let process = ChildProcess(program, arguments) { return process }
    }
    return nil
  }

  private static func notInstalled(_ kind: Kind, _ path: String, _ reason: String) -> ImportError {
    let text =
      switch kind {
      case .parquet:
        "this is \(kind.text), which python3 reads with pyarrow or DuckDB, and \(reason); type \"python3 -m pip "
          + "install pyarrow\", or \"duckdb -c \\\"COPY (FROM '\(path)') TO 'table.csv'\\\"\" and import table.csv"
      case .arrow, .compressed:
        "this is \(kind.text), which python3 reads with pyarrow, and \(reason); type \"python3 -m pip install "
          + "pyarrow\", or write a stream that is not compressed, as with frame.write_ipc_stream(path, "
          + "compression=\"uncompressed\") of Polars"
      }
    return ImportError(.cannotRead, "\(path): \(text)")
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    while !isAtEnd {
      guard waitForInput(process.output) else {
        throw ImportError(.interrupted, "\(name): interrupted")
      }
      // Safety: the buffer is the caller's for the whole call, and no more is written than it holds.
      let count = unsafe process.read(into: buffer)
      guard count >= 0 else { throw FileFailure.reading(name, errno) }
      if count > 0 { return count }
      try finish()
    }
    return 0
  }

  /// Checks how the program ended. One that lacks a library has written nothing, and the next one is tried.
  private func finish() throws(ImportError) {
    let (code, message) = process.finish()
    switch code {
    case 0:
      isAtEnd = true
      consumedBytes = totalBytes ?? 0
    case ConversionScript.notInstalled, ConversionScript.hasOnlyDuckDB, 127:
      if let next = Self.start(&others, arguments) { return process = next }
      let found =
        switch code {
        case 127: ConversionScript.nothingFound
        case ConversionScript.hasOnlyDuckDB: "it has only DuckDB, which cannot give events of Bandolier back"
        default: kind == .parquet ? "it has neither" : "it has none"
        }
      throw Self.notInstalled(kind, name, found)
    default:
      let reason = message.isEmpty ? "python3 ended with the status \(code)" : message
      let file = kind == .parquet ? "Parquet" : "Arrow"
      throw ImportError(.badData, "\(name): python3 cannot read the \(file) file: \(reason)")
    }
  }
}

/// The program that reads files from their end.
enum ConversionScript {
  /// The exit status if neither library is installed.
  static let notInstalled: Int32 = 3

  /// The exit status if pyarrow is not installed and DuckDB would read the file with losses.
  static let hasOnlyDuckDB: Int32 = 4

  /// That no program could be started, in words.
  static var nothingFound: String {
    value(of: "BANDOLIER_PYTHON").flatMap { $0.isEmpty ? nil : "BANDOLIER_PYTHON names \($0), which cannot be started" }
      ?? "there is no python3"
  }

  /// The programs that may run it: the one that `BANDOLIER_PYTHON` names, or each `python3` beside the command, as in a
  /// virtual environment, and on the PATH.
  static var programs: [String] {
    if let own = value(of: "BANDOLIER_PYTHON"), !own.isEmpty { return [own] }
    let command = CommandLine.arguments.first.flatMap { command in
      command.utf8.lastIndex(of: UInt8(ascii: "/")).map { command[..<$0] }
    }
    let path = (value(of: "PATH") ?? "").split(separator: ":")
    return ([command].compactMap(\.self) + path).map { "\($0)/python3" }
      // Safety: the path is a terminated copy for the call.
      .filter { unsafe access($0, X_OK) == 0 }
  }

  /// Returns the value of a variable of the environment; nil if there is none.
  private static func value(of variable: String) -> String? {
    // Safety: the name is a terminated copy, and the value is copied at once.
    unsafe getenv(variable).map { unsafe String(cString: $0) }
  }

  static let text = """
    import sys
    path = sys.argv[1]
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        pyarrow = None
    try:
        with open(path, "rb") as file:
            start = file.read(6)
        if start[:4] != b"PAR1":
            if not pyarrow:
                sys.exit(3)
            if start == b"ARROW1":
                file = pyarrow.ipc.open_file(path)
                batches = map(file.get_batch, range(file.num_record_batches))
            else:
                file = batches = pyarrow.ipc.open_stream(path)
            with pyarrow.ipc.new_stream(sys.stdout.buffer, file.schema) as stream:
                for batch in batches:
                    stream.write_batch(batch)
        elif pyarrow:
            file = pyarrow.parquet.ParquetFile(path)
            with pyarrow.ipc.new_stream(sys.stdout.buffer, file.schema_arrow) as stream:
                # pyarrow cannot put lists of names together that are in several row groups.
                for group in range(file.num_row_groups):
                    for batch in file.iter_batches(batch_size=65536, row_groups=[group]):
                        stream.write_batch(batch)
        else:
            try:
                import duckdb
            except ImportError:
                sys.exit(3)
            db = duckdb.connect()
            db.execute("SET TimeZone = 'UTC'")
            table = "read_parquet('" + path.replace("'", "''") + "')"
            columns = []
            described = db.execute("DESCRIBE SELECT * FROM " + table).fetchall()
            # The columns of events are told apart by their types, which JSON has not.
            if {"type", "time", "unit"} <= {row[0] for row in described}:
                sys.exit(4)
            for name, kind, *_ in described:
                quoted = '"' + name.replace('"', '""') + '"'
                value = quoted
                if kind.startswith("TIMESTAMP") and not kind.endswith("]"):
                    value = "CAST(" + quoted + " AS TIMESTAMP)"
                    if kind == "TIMESTAMP_NS":
                        count = "epoch_ns(" + quoted + ")"
                        value = "make_timestamp((" + count + " - ((" + count + " % 1000) + 1000) % 1000) // 1000)"
                    value = "strftime(" + value + ", '%Y-%m-%dT%H:%M:%S.%fZ')"
                elif kind in ("DOUBLE", "FLOAT"):
                    value = "CASE WHEN isfinite(" + quoted + ") THEN " + quoted + " END"
                columns.append(value + " AS " + quoted)
            db.execute("COPY (SELECT " + ", ".join(columns) + " FROM " + table
                       + ") TO '/dev/stdout' (FORMAT json)")
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        sys.exit(type(error).__name__ + ": " + " ".join(str(error).split()))
    """
}
