import ArgumentParser
import Platform

/// The program `bandolier-serve`, which runs the verbs of the service.
enum ServiceProgram {
  private static let name = "bandolier-serve"

  /// The help of the arguments that are handed over.
  static let help = ArgumentHelp("The arguments of \(name).", valueName: "options")

  /// The discussion of a verb that the program runs.
  static let discussion = """
    Runs \(name), a program of its own that `make serve` builds, and that is looked for beside this command and on the \
    PATH. With --help it lists its options.
    """

  /// Replaces this process by the program.
  ///
  /// - Throws: ``Failure`` if there is no such program.
  static func run(_ verb: String, _ arguments: [String]) throws -> Never {
    // Safety: the path outlives the call.
    if let beside = folder().map({ "\($0)/\(name)" }), unsafe access(beside, X_OK) == 0 {
      replace(by: beside, [verb] + arguments)
    }
    replace(by: name, [verb] + arguments)
    throw Failure(
      exitCode: Failure.inputMissing,
      "\(name) is neither beside this command nor on the PATH; build it with `make serve` in the source of "
        + "Bandolier, and install it with `make install`")
  }

  /// Returns the folder of this command; nil if the system does not say.
  private static func folder() -> String? {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    // Safety: no more is written than the array holds.
    let count = unsafe path.withUnsafeMutableBytes { buffer in
      guard let text = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return -1
      }
      return unsafe readlink("/proc/self/exe", text, buffer.count)
    }
    guard count > 0 else { return nil }
    let text = String(decoding: path[..<count], as: UTF8.self)
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }

  /// Replaces this process by a program, found on the PATH if its name has no slash; returns only if that fails.
  private static func replace(by program: String, _ arguments: [String]) {
    // Signals that are ignored here would be ignored there as well.
    signal(SIGPIPE, SIG_DFL)
    signal(SIGXFSZ, SIG_DFL)
    // Safety: the copies of the arguments live until the call has replaced the process, or has failed, after which
    // they are freed.
    var list: [UnsafeMutablePointer<CChar>?] = unsafe []
    for text in [program] + arguments { unsafe list.append(strdup(text)) }
    unsafe list.append(nil)
    _ = unsafe execvp(program, &list)
    unsafe list.forEach { unsafe free($0) }
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}
