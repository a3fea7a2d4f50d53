public import DecidingAgents
public import DecidingCore
public import DecidingExperiments
public import DecidingRollouts
package import EventLog
public import Reports

/// The options of a service: which log, which systems, and how durable answers are.
public struct ServiceOptions: Sendable {
  /// The path of the log.
  public var log: String
  /// The owner of the agents: the first segment of their paths.
  public var owner: String
  /// The deciding systems of the service.
  public var systems: Configurations
  /// Whether an answer waits until everything that it rests on is durable. Otherwise events become durable within
  /// 100 milliseconds after the answer.
  public var waitsForDisk: Bool
  /// The clock, the random generator, and the ids; the sink is replaced by the log.
  public var surroundings: Surroundings
  /// The maximum number of requests that wait for the disk; further ones are refused with status 503.
  public var waitingLimit: Int
  /// Who may use the service, and how much of it.
  public var access: AccessOptions
  /// Receives the lines of the request log, each a JSON object and a line feed; nil for none. It must return at once.
  public var requestLog: (@Sendable ([UInt8]) -> Void)?
  /// The size in bytes at which a segment of the log is ended.
  public var segmentByteCount: UInt64
  /// The number of events after which a new snapshot is made, so that a start replays at most about as many.
  public var snapshotInterval: UInt64
  /// Called with a line about what an operator should know: a snapshot that does not fit, a log that cannot be written.
  public var note: @Sendable (String) -> Void
  /// The reports that can be asked for.
  public var reports = ReportCatalog.standard
  /// The disk of the log.
  package var disk: any Disk = SystemDisk()
  /// The time between two attempts to write again after a failure.
  package var retryDelay: Duration = .seconds(5)

  /// The configurations of the systems, applied at the start unless the log has them already.
  public struct Configurations: Sendable {
    /// The definitions of agents.
    public var agents: [AgentDefinition] = []
    /// The settings of the agents.
    public var agentSettings = AgentSettings()
    /// The sites, each with its experiments and flags.
    public var sites: [ExperimentConfiguration] = []
    /// The rollouts; nil for none.
    public var rollouts: RolloutConfiguration?

    /// Creates configurations: none.
    public init() {}
  }

  /// Creates options, with the usual values for everything but the log and the surroundings.
  public init(log: String, owner: String, surroundings: Surroundings) {
    self.log = log
    self.owner = owner
    self.surroundings = surroundings
    systems = Configurations()
    waitsForDisk = true
    waitingLimit = 4_096
    access = AccessOptions()
    segmentByteCount = 64 << 20
    snapshotInterval = 1_000_000
    note = { _ in }
  }
}
