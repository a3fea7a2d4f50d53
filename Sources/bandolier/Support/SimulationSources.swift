import Bandits
import EventLog
import Events
import Interchange
import OffPolicy
import Replay
import Simulations
import Specifications
import Tables
import Threads

/// The files and logs named by environments, policies and warm starts, with their contents.
final class SimulationSources: Sendable {
  /// The maximum size of a table in bytes; it is held in memory as a whole, several times.
  private static let mostBytes = 1 << 30

  private struct State: Sendable {
    var read: [PlanSource] = []
    /// The error when an environment could not be created for a reason other than its specification.
    var trouble: (any Error)?
    /// The decisions that policies learn from, by specification.
    var logged: [String: LoggedRewards] = [:]
  }

  private let jobs: Int?
  private let progress: ProgressMode
  private let state = Monitor(State())

  init(jobs: Int?, progress: ProgressMode) {
    self.jobs = jobs
    self.progress = progress
  }

  /// The sources that were read, each content of a path once.
  var read: [PlanSource] { state.withLock { $0.read } }

  /// Creates the environment of a specification.
  func environment(_ text: String) throws -> any Environment {
    let sources = EnvironmentSources(
      text: { (path) throws(SpecificationError) in try self.keeping { try self.text(path) } },
      other: { (specification) throws(SpecificationError) in
        guard specification.name == EmpiricalEnvironment.info.name else { return nil }
        return try self.keeping {
          let query = try RewardQuery(specification)
          let environment = try self.replaying(query) { try $0.environment(query) }
          if environment.placeCount > 1 {
            Message.print(
              "note: \(specification) pools the decisions of \(environment.placeCount) points and slots; name one with "
                + "point and slot")
          }
          return environment
        }
      })
    do {
      return try Environments.named(text, sources)
    } catch {
      throw state.withLock { $0.trouble } ?? error
    }
  }

  /// The policies that a plan can name, those in files included.
  var policies: PolicyCatalog {
    PolicyCatalog.standard.readingLearnedPolicies { (path) throws(SpecificationError) in
      try self.keeping {
        let text = try self.text(path)
        return try Self.ofData { try LearnedPolicyFile(parsing: text, name: path).policy }
      }
    }
  }

  /// Returns the plan, ready to run, with the contents that it depends on.
  func prepare(
    _ plan: SimulationPlan, makeWarmStart: (String, any Environment) throws -> WarmStart?
  ) throws -> PreparedPlan {
    do {
      return try PreparedPlan(
        plan, makeEnvironment: environment, policies: policies, makeWarmStart: makeWarmStart)
    } catch {
      throw state.withLock { $0.trouble } ?? error
    }
  }

  /// Saves errors that have their own exit codes: unreadable files and damaged logs.
  private func keeping<Result>(_ body: () throws -> Result) throws(SpecificationError) -> Result {
    do {
      return try body()
    } catch let error as SpecificationError {
      throw error
    } catch {
      state.withLock { $0.trouble = error }
      throw SpecificationError("\(error)")
    }
  }

  /// Returns the warm start of policies in an environment from the decisions that a text names; prints a note
  /// about what is not learned.
  func warmStart(_ text: String, for environment: any Environment) throws -> WarmStart {
    let logged = try loggedRewards(text)
    let (start, unmatched) = logged.warmStart(for: environment)
    guard !start.rewards.isEmpty else {
      throw SpecificationError(
        "none of the \(logged.count) decisions of \(text) is for a variant or context of the environment, whose "
          + "variants are " + environment.variantNames.prefix(20).joined(separator: ", "))
    }
    for (variant, count) in unmatched.variants.sorted(by: { $0.key < $1.key }).prefix(20) {
      Message.print(
        "note: warm start: \(count) decisions for variant \"\(variant)\" are not learned in "
          + "\(environment.specification)")
    }
    if unmatched.contexts > 0 {
      Message.print(
        "note: warm start: \(unmatched.contexts) decisions in contexts that \(environment.specification) does not have "
          + "are not learned")
    }
    return start
  }

  private func loggedRewards(_ text: String) throws -> LoggedRewards {
    if let known = state.withLock({ $0.logged[text] }) { return known }
    let query = try RewardQuery(try Specification(parsing: text))
    let logged = try replaying(query) { try $0.loggedRewards(query) }
    state.withLock { $0.logged[text] = logged }
    return logged
  }

  // MARK: Reading

  private func text(_ path: String) throws -> String {
    let bytes = try WholeInput.bytes(path, limit: Self.mostBytes) { Interrupt.waitForInput($0) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(exitCode: Failure.badData, "\(path): the file is not UTF-8 text; convert it")
    }
    note(path, "\(bytes.count) bytes with CRC-32C \(Checksum.crc32c(bytes).hexadecimal)")
    return text
  }

  private func replaying<Result>(_ query: RewardQuery, _ body: (LogReplay) throws -> Result) throws
    -> Result
  {
    do {
      let reader = try LogArgument.open(query.path)
      let result = try progress.showing("replaying", of: reader.eventCount) {
        let replay = LogReplay(reader, jobs: jobs, progress: $0)
        return try Self.ofData { try body(replay) }
      }
      let check = reader.chainCheck(at: reader.eventCount)?.hexadecimal ?? "none"
      note(query.path, "\(reader.eventCount) events with chain check \(check)")
      return result
    } catch var error as LogError where error.code == .damaged && !error.saysRemedy {
      error.message += "; or repair the log (bandolier log repair)"
      throw error
    }
  }

  /// Runs the body, whose specification is right: an error in one is of what it was found in.
  private static func ofData<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SpecificationError {
      throw Failure(exitCode: Failure.badData, error.description)
    }
  }

  private func note(_ path: String, _ content: String) {
    let source = PlanSource(path: path, content: content)
    state.withLock { state in
      if !state.read.contains(source) { state.read.append(source) }
    }
  }
}
