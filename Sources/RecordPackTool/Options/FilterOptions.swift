import ArgumentParser
import RecordArchive
import RecordModel

/// Options that select a part of a bundle or container.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only this database. May be given several times.",
      valueName: "name"))
  var database: [DatabaseScope] = []

  @Option(
    help: ArgumentHelp(
      "Only this zone: NAME, or NAME/OWNER. May be given several times.",
      valueName: "zone"))
  var zone: [ZoneArgument] = []

  @Option(
    help: ArgumentHelp("Only records of this type. May be given several times.", valueName: "type"))
  var type: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only records modified at or after this date: 2025-01-31, or 2025-01-31T18:00:00Z.",
      valueName: "date"))
  var since: DateArgument?

  /// The options and whether each was given; they do not apply if nothing is selected.
  var given: [(name: String, isGiven: Bool)] {
    [
      ("--database", !database.isEmpty), ("--zone", !zone.isEmpty), ("--type", !type.isEmpty),
      ("--since", since != nil),
    ]
  }

  private var filter: RecordFilter {
    RecordFilter(
      databases: database.isEmpty ? nil : Set(database),
      zoneIDs: zone.isEmpty ? nil : Set(zone.map(\.zoneID)),
      recordTypes: type.isEmpty ? nil : NameSet(type), modifiedSince: since?.date)
  }

  /// Returns the filter for sources; a zone without an owner matches any owner.
  ///
  /// Throws for a zone or type that no source has, as a typo would otherwise give an empty result.
  ///
  /// - Parameter sortsResponses: Whether the command then needs responses sorted. If not, they are
  ///   only read.
  func filter(
    in sources: [ArchiveSource], _ bar: ProgressBar? = nil, sortsResponses: Bool = true
  ) throws -> RecordFilter {
    var filter = filter
    guard !zone.isEmpty || !type.isEmpty else { return filter }
    for case .responses(let responses) in sources {
      guard sortsResponses else {
        try responses.readNames { try bar?.update($0) }
        continue
      }
      try Interruption.whileSorting { try responses.sort { try bar?.update($0) } }
    }
    if !zone.isEmpty {
      let inDatabases = RecordFilter(databases: filter.databases)
      let zones = Set(
        try sources.flatMap { try $0.zoneIDs() }
          .filter { inDatabases.contains(database: $0.database) }.map(\.zoneID))
      filter.zoneIDs = []
      for wanted in zone {
        let matching = zones.filter(wanted.matches)
        guard !matching.isEmpty else {
          throw missing("zone", wanted.argument, zones.sorted().map(\.description))
        }
        filter.zoneIDs?.formUnion(matching)
      }
    }
    guard !type.isEmpty else { return filter }
    var wide = filter
    wide.recordTypes = nil
    for withDeleted in [false, true] {
      let types = NameSet(
        try sources.flatMap { try $0.recordTypes(wide, withDeleted: withDeleted).names })
      guard let unknown = type.first(where: { !types.contains($0) }) else { break }
      if withDeleted { throw missing("record type", unknown, types.names) }
    }
    return filter
  }

  private func missing(_ what: String, _ name: String, _ known: [String]) -> Failure {
    let shown = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? ", …" : "")
    return Failure(
      "there is no \(what) '\(name)'; "
        + (known.isEmpty ? "there are none" : "available: \(shown)"))
  }
}

extension DatabaseScope: ExpressibleByArgument {}

/// A zone argument, `NAME` or `NAME/OWNER`.
struct ZoneArgument: ExpressibleByArgument {
  let argument: String
  let zoneID: ZoneID
  private let namesOwner: Bool

  /// Whether a zone matches. Without an owner in the argument, any owner matches.
  func matches(_ other: ZoneID) -> Bool {
    namesOwner ? other == zoneID : other.zoneName.sameScalars(as: zoneID.zoneName)
  }

  init?(argument: String) {
    guard !argument.isEmpty, let zoneID = ZoneID(argument: argument) else { return nil }
    self.argument = argument
    self.zoneID = zoneID
    namesOwner = argument.contains("/")
  }
}
