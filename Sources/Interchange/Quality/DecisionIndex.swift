import EventLog
import Events

/// The units and experiments that have a decision, in bounded memory: those beyond it are on disk.
///
