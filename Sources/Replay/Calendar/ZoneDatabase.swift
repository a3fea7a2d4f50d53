internal import EventLog
package import Events
internal import Platform
package import Specifications

/// The time zone database of this machine: a file for each zone, in the folder of the environment variable `TZDIR`, or
/// `/usr/share/zoneinfo`.
package enum ZoneDatabase {
  private static let disk = SystemDisk(followsLinks: true)

  private static var folder: String {
    // Safety: nothing in this process changes the environment; the text is copied at once.
    let named = unsafe getenv("TZDIR").map { unsafe String(cString: $0) } ?? ""
    return named.isEmpty ? "/usr/share/zoneinfo" : named
  }

  /// Returns the calendar of a zone.
  ///
  /// - Parameter name: A name of the IANA time zone database, such as `Europe/Madrid`; `UTC` needs no database.
  /// - Returns: The calendar.
  /// - Throws: `SpecificationError` with the nearest name if there is no such zone, or no database.
  package static func calendar(_ name: String) throws(SpecificationError) -> DayCalendar {
    if name == DayCalendar.utc.zone { return .utc }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    if parts.allSatisfy({ $0.first?.isLetter ?? false }), let bytes = contents(name),
      let calendar = DayCalendar(zone: name, data: bytes)
    {
      return calendar
    }
    let names = names()
    guard !names.isEmpty else {
      throw SpecificationError(
        "there is no time zone database in \(folder), which \"\(name)\" is looked up in; install tzdata, or set TZDIR")
    }
    throw SpecificationError(NearestName.unknown("time zone", name, among: names))
  }

  private static func contents(_ name: String) -> [UInt8]? {
    guard let file = try? disk.open(folder + "/" + name, writable: false), let size = try? file.size(),
      size < 1 << 20
    else { return nil }
    return try? file.read(at: 0, count: Int(size))
  }

  /// Returns the names of all zones; those of folders begin with capitals, as zones do.
  private static func names(in subfolder: String = "") -> [String] {
    let entries = (try? disk.list(folder + "/" + subfolder)) ?? []
    return entries.filter { $0.first?.isUppercase ?? false }.flatMap { entry -> [String] in
      let name = subfolder + entry
      if contents(name)?.starts(with: "TZif".utf8) ?? false { return [name] }
      return names(in: name + "/")
    }
  }
}
