/// Files that have to be unpacked before they are imported, told by their first bytes.
enum PackedInput: CaseIterable {
  /// Of gzip the file itself is unpacked, so that this is what is inside.
  case gzip
  case xz, bzip2, zstandard, lz4, zip, sevenZip, tar, feather

  /// Returns what an input is that has to be unpacked; nil for anything else.
  static func found(in bytes: ArraySlice<UInt8>) -> PackedInput? {
    allCases.first { bytes.dropFirst($0.offset).starts(with: $0.magic) }
  }

  private var magic: [UInt8] {
    switch self {
    case .gzip: [0x1F, 0x8B, 0x08]
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
    case .bzip2: Array("BZh".utf8)
    case .zstandard: [0x28, 0xB5, 0x2F, 0xFD]
    case .lz4: [0x04, 0x22, 0x4D, 0x18]
    case .zip: Array("PK\u{3}\u{4}".utf8)
    case .sevenZip: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
    case .tar: Array("ustar".utf8)
    case .feather: Array("FEA1".utf8)
    }
  }

  private var offset: Int { self == .tar ? 257 : 0 }

  /// Returns the error that says what the input is and the command that unpacks it.
  func error(_ name: String, isFile: Bool) -> ImportError {
    let file = isFile ? " \(Self.quoted(name))" : ""
    let command =
      switch self {
      case .gzip: "gzip -dc\(file)"
      case .xz: "xz -dc\(file)"
      case .bzip2: "bzip2 -dc\(file)"
      case .zstandard: "zstd -dc\(file)"
      case .lz4: "lz4 -dc\(file)"
      case .zip: isFile ? "unzip -p\(file)" : "funzip"
      case .sevenZip: "7z x -so\(file)"
      // From a pipe, tar does not tell by itself that an archive is compressed.
      case .tar: isFile ? "tar -xOf\(file)" : "gzip -dcf | tar -xO"
      case .feather:
        "python3 -c 'import sys, pyarrow as a, pyarrow.feather as f; t = f.read_table(sys.argv[1]); "
          + "w = a.ipc.new_stream(sys.stdout.buffer, t.schema); w.write_table(t); w.close()'\(file)"
      }
    return ImportError(
      .unknownFormat,
      "\(name): this is \(title); unpack it first: \(command) | bandolier import - ...")
  }

  private var title: String {
    switch self {
    case .gzip: "a gzip file in a gzip file"
    case .xz: "an xz file"
    case .bzip2: "a bzip2 file"
    case .zstandard: "a Zstandard file"
    case .lz4: "an LZ4 file"
    case .zip: "a zip archive"
    case .sevenZip: "a 7z archive"
    case .tar: "a tar archive"
    case .feather: "a Feather file of version 1"
    }
  }

  /// Returns a path as a shell reads it.
  private static func quoted(_ path: String) -> String {
    let plain = path.utf8.allSatisfy {
      $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || "/._-+=:,@%".utf8.contains($0)
    }
    return plain
      ? path
      : "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }
}
