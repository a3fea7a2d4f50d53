import EventLog
import Glibc

/// libFuzzer's entry: feeds the target that the environment variable `FUZZ_TARGET` names. Everything else
/// is libFuzzer's own: `fuzz -seed=1 -max_total_time=60 CORPUS`.
@main
struct FuzzDriver {
  static let target: FuzzTarget = {
    // Safety: getenv answers a text of the environment, which nothing here changes.
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      fatalError("FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue))")
    }
    return target
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

  /// Writes the inputs with which the target's corpus begins.
  private static func writeSeeds(to folder: String) throws {
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
    try FuzzDriver.target.run(bytes)
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
