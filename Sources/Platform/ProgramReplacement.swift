/// Returns the folder of the program of this process; nil if the system does not say.
package func programFolder() -> String? {
  var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
  #if canImport(Darwin)
    var size = UInt32(path.count)
    // Safety: no more is written than the array holds.
    let isKnown = unsafe path.withUnsafeMutableBytes { buffer in
      let text = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return unsafe _NSGetExecutablePath(text, &size) == 0
    }
    guard isKnown, let count = path.firstIndex(of: 0) else { return nil }
  #else
    // Safety: no more is written than the array holds.
    let count = unsafe path.withUnsafeMutableBytes { buffer in
      guard let text = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return -1
      }
      return unsafe readlink("/proc/self/exe", text, buffer.count)
    }
    guard count > 0 else { return nil }
  #endif
  let text = String(decoding: path[..<count], as: UTF8.self)
  return text.lastIndex(of: "/").map { String(text[..<$0]) }
}

/// Whether a file exists that this process may run.
package func isExecutable(_ path: String) -> Bool {
  // Safety: the path outlives the call.
  unsafe access(path, X_OK) == 0
}

/// Replaces this process by a program, found on the PATH if its name has no slash; returns only if that fails.
///
/// - Parameters:
///   - program: The path of the program, or its name.
///   - arguments: The arguments after the name.
package func replaceProcess(by program: String, _ arguments: [String]) {
  // Signals that are ignored here would be ignored there as well.
  let ignored = [SIGPIPE, SIGXFSZ].map { ($0, signal($0, SIG_DFL)) }
  // Safety: the copies of the arguments live until the call has replaced the process, or has failed, after which
  // they are freed.
  var list: [UnsafeMutablePointer<CChar>?] = unsafe []
  for text in [program] + arguments { unsafe list.append(strdup(text)) }
  unsafe list.append(nil)
  _ = unsafe execvp(program, &list)
  unsafe list.forEach { unsafe free($0) }
  for (number, handler) in ignored { signal(number, handler) }
}
