package import EventLog
package import Replay
package import Tables

/// What a database keeps of a report with its standard parameters: what is computed, and the tables that say it.
///
/// The version goes up when the projector, its default parameters or the bytes of its state change: databases of older
/// versions compute it anew from the histories that they hold.
package struct KeptReport<Projector: RevisableUnitProjector>: Sendable {
  package let name: String
  package let version: Int64
  /// The projector's parameters, in words.
  package let parameters: String
  package let projector: Projector
  /// The tables of a result.
  package let tables: @Sendable (Projector.Result, LogNames) throws -> [Table]
  /// Views and indices beside the tables.
  package let companions: [Companion]
  /// Whether the tables have rows with empty keys, as one for all variants has: such keys are no primary ones in SQL.
  package let hasEmptyKeys: Bool

  package init(
    name: String, version: Int64, parameters: String, projector: Projector,
    tables: @escaping @Sendable (Projector.Result, LogNames) throws -> [Table],
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

/// A view or an index beside a table.
package struct Companion: Sendable {
  package enum Kind: String, Sendable {
    case view = "VIEW"
    case index = "INDEX"
  }

  package let kind: Kind
  package let name: String
  /// What stands behind `CREATE VIEW NAME ` or `CREATE INDEX NAME `.
  package let body: String

  package init(kind: Kind, name: String, body: String) {
    self.kind = kind
    self.name = name
    self.body = body
  }
}

/// A report of which databases keep what it computes with its standard parameters.
package protocol ReportWithReadModel: Report {
  associatedtype Kept: RevisableUnitProjector

  /// What they keep.
  static var readModel: KeptReport<Kept> { get }

  /// The table of this report of a result that a database keeps; nil, the default, when it is to be made of the units that
  /// the database holds, as where the parameters are not the standard ones.
  var readyTable: (@Sendable (Kept.Result, LogNames) throws -> Table)? { get }
}

extension ReportWithReadModel {
  package var readyTable: (@Sendable (Kept.Result, LogNames) throws -> Table)? { nil }
}
