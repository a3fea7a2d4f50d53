internal import Events
package import Replay
package import Specifications

/// Partials of the same question that are merged.
package struct PartialSet: Sendable {
  /// A fault of a partial, or of several.
  package struct Refusal: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  /// Reads the bytes of a file.
  package typealias Read = @Sendable (String) throws -> [UInt8]

  /// The common part of all partials, with the sums of their counts and without states.
  package private(set) var common: Partial
  private var paths: [String] = []
  /// The names in options that none of the partials with events has; nil before the first of them.
  private var missing: [String]?
  /// For each shard, the file that it is in, with the digest of its bytes.
  private var files: [Int: (path: String, digest: UInt64)] = [:]
  private let read: Read

  /// Reads partials one after the other, and checks that they belong together.
  ///
  /// - Parameters:
  ///   - paths: The files; identical ones count once.
  ///   - expected: What the partials must have in common with: its version, numerics mark, question and end of data.
  ///   - read: Reads a file.
  /// - Throws: ``Refusal``, which names the file, and errors of reading.
  package init(_ paths: [String], expected: Partial, read: @escaping Read) throws {
    self.read = read
    common = expected
    for path in paths { try add(path) }
    guard !self.paths.isEmpty else { throw Refusal("there is no partial to merge") }
    common.shards.sort()
    common.missing = missing ?? []
  }

  /// Reads one file, and names it in the error if it is damaged.
  package static func partial(_ path: String, _ read: Read) throws -> (Partial, digest: UInt64) {
    let bytes = try read(path)
    do {
      return (try Partial(bytes: bytes), Partial.digest(bytes))
    } catch {
      throw Refusal("\(path): \(error.description)")
    }
  }

  private mutating func add(_ path: String) throws {
    var (partial, digest) = try Self.partial(path, read)
    if partial.shards.contains(where: { files[$0]?.digest == digest }) { return }
    try Self.check(partial, path, common)
    if paths.isEmpty {
      common.shardCount = partial.shardCount
      common.firstPass = partial.pass
      common.given = partial.given
    }
    try checkTogether(partial, path)
    for shard in partial.shards { files[shard] = (path, digest) }
    paths.append(path)
    partial.passes = []
    addMissing(of: partial)
    common.shards += partial.shards
    common.eventCount += partial.eventCount
    common.lostEventCount += partial.lostEventCount
    common.losses += partial.losses
    common.latest = [common.latest, partial.latest].compactMap { $0 }.max()
  }

  private mutating func addMissing(of partial: Partial) {
    guard partial.eventCount > 0 else { return }
    let own = partial.missing
    missing =
      missing.map { $0.filter { name in own.contains { $0.hasSameBytes(as: name) } } } ?? own
  }

  /// Checks what does not depend on other partials.
  package static func check(_ partial: Partial, _ path: String, _ expected: Partial) throws {
    guard partial.version == expected.version else {
      throw Refusal(
        "\(path) was written by version \(partial.version), not \(expected.version); make it again with one version"
      )
    }
    guard partial.numerics == expected.numerics else {
      throw Refusal(
        "\(path) was written where elementary functions return other bits (\(partial.numerics), here "
          + "\(expected.numerics)), so that results could differ in their last digits; make all partials on machines "
          + "with the same C library and kind of processor"
      )
    }
    // By bytes: names in questions, such as that of an experiment, are told apart by them, not by their characters.
    guard partial.question.hasSameBytes(as: expected.question) else {
      let difference = zip(
        partial.question.split(separator: "\n"), expected.question.split(separator: "\n")
      ).map { (String($0), String($1)) }.first { !$0.hasSameBytes(as: $1) }.map { own, asked in
        let parameters = PartialQuestion.difference(own, asked)
        return ": it has \(parameters.own), not \(parameters.asked)"
      }
      throw Refusal(
        "\(path) is of another question\(difference ?? ""); give --merge the options that the partials were made with")
    }
    guard partial.dataEnd == expected.dataEnd else {
      throw Refusal("\(path) has another end of the data; give all partials the same --data-end")
    }
  }

  private func checkTogether(_ partial: Partial, _ path: String) throws {
    let first = paths.first ?? path
    guard partial.shardCount == common.shardCount else {
      throw Refusal(
        "\(path) is one of \(partial.shardCount) shards, but \(first) one of \(common.shardCount)")
    }
    guard partial.pass == common.firstPass, partial.given == common.given else {
      throw Refusal("\(path) and \(first) were made with a different --given")
    }
    for shard in partial.shards {
      guard let other = files[shard] else { continue }
      throw Refusal(
        partial.shardCount == 1
          ? "\(path) and \(other.path) are both of a whole log; make the partial of each part with its --shard i/n"
          : "\(path) and \(other.path) both have shard \(shard)/\(partial.shardCount), and differ")
    }
  }

  /// The number of the pass that the partials have the states of.
  package var pass: Int { common.firstPass }

  /// Throws an error that names missing shards, if there are any.
  package func requireAllShards() throws {
    let missing = Set(1...max(1, common.shardCount)).subtracting(common.shards).sorted()
    guard !missing.isEmpty else { return }
    let names = missing.prefix(10).map { "\($0)/\(common.shardCount)" }.joined(separator: ", ")
    throw Refusal(
      "\(missing.count == 1 ? "shard" : "shards") \(names)\(missing.count > 10 ? ", ..." : "") "
        + "\(missing.count == 1 ? "is" : "are") missing"
    )
  }

  /// The states of each file, to be read when they are merged.
  package var parts: [StateExchange.Part] {
    let read = read
    return paths.map { path in
      {
        let (partial, _) = try Self.partial(path, read)
        guard let pass = partial.passes.last else { throw Refusal("\(path) has no states") }
        return pass
      }
    }
  }
}

extension PartialSet.Refusal: ExitCoded {
  package var exitCode: ExitCode { .badData }
}
