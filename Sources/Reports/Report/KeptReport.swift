public import EventLog
public import Events
public import Replay
public import Tables

/// The read model of a report with its standard parameters: the projector, and the tables of its result.
///
/// `bandolier replay` keeps the state of the projector and the tables in a database. Raise the version when the
/// projector, its default parameters or the bytes of its state change: databases of older versions then recompute the
/// report from their histories, as they do when the description of its parameters changes.
public struct KeptReport<Projector: RevisableUnitProjector>: Sendable {
  /// The name, which is that of the report and of its table.
  public let name: String
  /// The version of the state, at least 1.
  public let version: Int64
  /// A description of the projector's parameters.
  public let parameters: String
  /// The projector.
  public let projector: Projector
  /// Returns the tables of a result, given how the log's decisions were logged.
  package let tables: @Sendable (Projector.Result, LogNames, PropensityTallies) throws -> [Table]
  /// The views and indices that belong to the tables.
  public let companions: [Companion]
  /// Whether the tables have rows with empty keys, such as a row for all variants: SQL allows no such primary keys.
  public let hasEmptyKeys: Bool

  package init(
    name: String, version: Int64, parameters: String, projector: Projector,
    tables: @escaping @Sendable (Projector.Result, LogNames, PropensityTallies) throws -> [Table],
    companions: [Companion] = [], hasEmptyKeys: Bool = false
  ) {
    self.name = name
    self.version = version
    self.parameters = parameters
    self.projector = projector
    self.tables = tables
    self.companions = companions
    self.hasEmptyKeys = hasEmptyKeys
  }

  /// Creates the read model of a report.
  ///
  /// - Parameters:
  ///   - report: The report with its standard parameters, whose table the database has.
  ///   - version: The version of the state.
  ///   - parameters: A description of the projector's parameters.
  ///   - projector: The projector of the report.
  ///   - companions: The views and indices that belong to the table.
  ///   - hasEmptyKeys: Whether the table has rows with empty keys.
  public init<Made: UnitReport>(
    of report: Made, version: Int64 = 1, parameters: String = "standard", projector: Projector,
    companions: [Companion] = [], hasEmptyKeys: Bool = false
  ) where Made.Projector == Projector {
    self.init(
      name: Made.name, version: version, parameters: parameters, projector: projector,
      tables: { result, names, _ in [try report.table(result, names: names, dimension: nil)] },
      companions: companions, hasEmptyKeys: hasEmptyKeys)
  }
}

/// A view or an index that belongs to a table.
public struct Companion: Sendable {
  /// The kind of a companion.
  public enum Kind: String, Sendable {
    /// A view.
    case view = "VIEW"
    /// An index.
    case index = "INDEX"
  }

  /// Whether it is a view or an index.
  public let kind: Kind
  /// The name in the database.
  public let name: String
  /// The SQL after `CREATE VIEW NAME ` or `CREATE INDEX NAME `.
  public let body: String

  /// Creates a view or an index.
  public init(kind: Kind, name: String, body: String) {
    self.kind = kind
    self.name = name
    self.body = body
  }
}

/// A report with a read model of its standard parameters.
public protocol ReportWithReadModel: Report {
  /// The type of the projector.
  associatedtype Kept: RevisableUnitProjector

  /// The read model.
  static var readModel: KeptReport<Kept> { get }

  /// Returns the read model with the days of a time zone; by default ``readModel``, for a report without days.
  static func readModel(in calendar: DayCalendar) -> KeptReport<Kept>

  /// Creates the report's table from a result in a database; nil, the default, if the table must be computed from the
  /// units in the database, for instance because the parameters are not the standard ones.
  var readyTable: (@Sendable (Kept.Result, LogNames) throws -> Table)? { get }
}

extension ReportWithReadModel {
  public static func readModel(in calendar: DayCalendar) -> KeptReport<Kept> { readModel }

  public var readyTable: (@Sendable (Kept.Result, LogNames) throws -> Table)? { nil }
}
