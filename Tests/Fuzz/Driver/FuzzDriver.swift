import EventLog
import Platform

/// libFuzzer's entry: feeds the target that the environment variable `FUZZ_TARGET` names. Everything else
/// is libFuzzer's own: `fuzz -seed=1 -max_total_time=60 CORPUS`.
@main
struct FuzzDriver {
  private static let name =
    // Safety: getenv answers a text of the environment, which nothing here changes.
    unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""

  /// The function that the inputs are fed to.
  static let run: @Sendable ([UInt8]) throws -> Void = {
    if let target = FuzzTarget(rawValue: name) { return { try target.run($0) } }
    if let target = ImportFuzzTarget(rawValue: name) { return { try target.run($0) } }
    let names = FuzzTarget.allCases.map(\.rawValue) + ImportFuzzTarget.allCases.map(\.rawValue)
    fatalError("FUZZ_TARGET must be one of \(names)")
  }()

  static func main() throws {
    // Safety: as above.
    if let folder = unsafe getenv("FUZZ_SEEDS").map({ unsafe String(cString: $0) }) {
      return try writeSeeds(to: folder)
    }
    var count = CommandLine.argc
    // Safety: libFuzzer reads the arguments, which live as long as the process.
    var arguments = unsafe CommandLine.unsafeArgv
    exit(unsafe runLibFuzzer(&count, &arguments, { unsafe testOneInput($0, $1) }))
  }

  /// Writes the inputs with which the corpus of a target of the log begins.
  private static func writeSeeds(to folder: String) throws {
    guard let target = FuzzTarget(rawValue: name) else {
      fatalError("the corpora of the importers are written by hand")
    }
    let disk = SystemDisk()
    for (name, bytes) in try target.seeds() {
      let path = folder + "/" + name
      if (try? disk.open(path, writable: false)) != nil { try disk.remove(path) }
      try disk.create(path).write(bytes, at: 0)
    }
  }
}

/// libFuzzer's own `main` wants this symbol, although ``FuzzDriver`` stands in its place.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // Safety: libFuzzer gives `count` bytes that live as long as the call.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do {
    try FuzzDriver.run(bytes)
  } catch {
    fatalError("\(error)")
  }
  return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runLibFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
