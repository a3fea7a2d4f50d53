package import EventLog
package import Replay
package import Tables

/// The read model of a report with its standard parameters: the projector, and the tables of its result.
///
/// Raise the version when the projector, its default parameters or the bytes of its state change: databases of older
/// versions then recompute the report from their histories.
package struct KeptReport<Projector: RevisableUnitProjector>: Sendable {
  package let name: String
  package let version: Int64
  /// A description of the projector's parameters.
  package let parameters: String
  package let projector: Projector
  /// Returns the tables of a result, given how the log's decisions were logged.
  package let tables: @Sendable (Projector.Result, LogNames, PropensityTallies) throws -> [Table]
  /// The views and indices that belong to the tables.
  package let companions: [Companion]
  /// Whether the tables have rows with empty keys, such as a row for all variants: SQL allows no such primary keys.
  package let hasEmptyKeys: Bool

  package init(
    name: String, version: Int64, parameters: String, projector: Projector,
    tables: @escaping @Sendable (Projector.Result, LogNames, PropensityTallies) throws -> [Table],
    companions: [Companion], hasEmptyKeys: Bool = false
  ) {
    self.name = name
    self.version = version
    self.parameters = parameters
    self.projector = projector
    self.tables = tables
    self.companions = companions
    self.hasEmptyKeys = hasEmptyKeys
  }
}

/// A view or an index that belongs to a table.
package struct Companion: Sendable {
  package enum Kind: String, Sendable {
    case view = "VIEW"
    case index = "INDEX"
  }

  package let kind: Kind
  package let name: String
  /// The SQL after `CREATE VIEW NAME ` or `CREATE INDEX NAME `.
  package let body: String

  package init(kind: Kind, name: String, body: String) {
    self.kind = kind
    self.name = name
    self.body = body
  }
}

/// A report with a read model of its standard parameters.
package protocol ReportWithReadModel: Report {
  associatedtype Kept: RevisableUnitProjector

  /// The read model.
  static var readModel: KeptReport<Kept> { get }

  /// Creates the report's table from a result in a database; nil, the default, if the table must be computed from the
  /// units in the database, for instance because the parameters are not the standard ones.
  var readyTable: (@Sendable (Kept.Result, LogNames) throws -> Table)? { get }
}

extension ReportWithReadModel {
  package var readyTable: (@Sendable (Kept.Result, LogNames) throws -> Table)? { nil }
}
