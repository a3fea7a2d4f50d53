import Platform

extension AtomicFile {
  /// The target of a path, and how it is written.
  struct Target {
    enum Kind {
      /// Opened for writing as it is.
      case direct(Int32)
      /// Created, or replaced by a file with the same permissions.
      case replaceable(permissions: mode_t?)
    }

    let path: String
    let kind: Kind

    /// The path that is renamed to: the given path, with symbolic links followed if the file is replaced.
    let destination: String

    init(path: String, force: Bool) throws(OutputError) {
      self.path = path
      guard !path.isEmpty, !path.utf8.contains(0) else {
        throw OutputError(
          .cannotCreate, "\"\(TerminalText.escaped(path))\" is not a file name; give another")
      }
      do throws(SystemError) {
        if let number = Self.openDescriptor(named: path) {
          kind = .direct(try FileCalls.duplicate(number))
          destination = path
          return
        }
        let found = try FileCalls.kind(of: path)
        switch found {
        case .directory: throw SystemError(number: EISDIR)
        case .missing:
          guard !path.hasSuffix("/") else { throw SystemError(number: EISDIR) }
          kind = .replaceable(permissions: nil)
          destination = path
        case .stream:
          kind = .direct(try FileCalls.open(path, flags: O_WRONLY))
          destination = path
        case .blockDevice where force:
          kind = .direct(try FileCalls.open(path, flags: O_WRONLY))
          destination = path
        case .regular(let permissions) where force:
          kind = .replaceable(permissions: permissions)
          destination = FileCalls.resolved(path)
        case .danglingLink where force:
          kind = .replaceable(permissions: nil)
          destination = path
        case .regular, .danglingLink, .blockDevice: throw SystemError(number: EEXIST)
        }
      } catch {
        throw error.number == EEXIST ? .exists(path) : .cannotCreate(path, error)
      }
    }

    /// Creates the temporary file beside the destination, after removing those of killed programs.
    ///
    /// - Returns: The file, which is locked as long as it or a duplicate of it is open, and its path.
    func openTemporary(permissions: mode_t?) throws(OutputError) -> (Int32, String) {
      let files = TemporaryFiles(beside: destination)
      files.removeAbandoned()
      do throws(SystemError) {
        let (descriptor, temporary) = try files.make()
        try give(permissions, to: descriptor, temporary)
        return (descriptor, temporary)
      } catch {
        throw .cannotCreate(path, error)
      }
    }

    private func give(
      _ permissions: mode_t?, to descriptor: Int32, _ temporary: String
    ) throws(SystemError) {
      guard let permissions else { return }
      do throws(SystemError) {
        try FileCalls.setPermissions(permissions, of: descriptor)
      } catch {
        try? FileCalls.close(descriptor)
        FileCalls.remove(temporary)
        throw error
      }
    }

    /// Splits a path into its directory (`.` if there is none) and its last component.
    static func split(_ path: String) -> (directory: String, name: String) {
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
      let name = String(path[path.utf8.index(after: slash)...])
      return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// Returns the descriptor of `/dev/stdout` and its like.
    ///
    /// These are duplicated, not opened: they may lead to a regular file that the shell opened for appending, whose
    /// contents would be lost if it were replaced.
    private static func openDescriptor(named path: String) -> Int32? {
      switch path {
      case "/dev/stdout": return STDOUT_FILENO
      case "/dev/stderr": return STDERR_FILENO
      default: break
      }
      for prefix in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(prefix) {
        return Int32(path.dropFirst(prefix.count)).flatMap { $0 >= 0 ? $0 : nil }
      }
      return nil
    }
  }
}
