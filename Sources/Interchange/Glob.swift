import Platform

/// Patterns of file names, as shells have them.
enum Glob {
  /// Returns the paths that match a pattern, in bytewise order; empty if there are none.
  static func paths(_ pattern: String) -> [String] {
    // Safety: the result is freed in all cases, and read only as far as it was filled.
    var result = unsafe glob_t()
    defer { unsafe globfree(&result) }
    guard unsafe glob(pattern, GLOB_NOSORT, nil, &result) == 0 else { return [] }
    var paths: [String] = []
    for index in 0..<Int(unsafe result.gl_pathc) {
      // Safety: each of the first `gl_pathc` entries is a text that ends with a zero byte.
      if let path = unsafe result.gl_pathv[index] { paths.append(unsafe String(cString: path)) }
    }
    return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
