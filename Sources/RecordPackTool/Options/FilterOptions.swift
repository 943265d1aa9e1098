import ArgumentParser
import Foundation
import RecordArchive
import RecordModel
import RecordText

/// Options that select a part of a bundle or container.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only this database. May be given several times.",
      valueName: "name"))
  var database: [DatabaseScope] = []

  @Option(
    help: ArgumentHelp(
      "Only this zone: NAME, or NAME/OWNER; with * ? [a-z], all that match, as in 'Chat*'. May be "
        + "given several times.", valueName: "zone"))
  var zone: [ZoneArgument] = []

  @Option(
    help: ArgumentHelp(
      "Only records of this type, or of this entity of Core Data and its sub-entities; with * ? "
        + "[a-z], all that match, as in 'Mess*'. May be given several times.", valueName: "type"))
  var type: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only records modified at or after this date, and records without a date: 2025-01-31, or "
        + "2025-01-31T18:00:00Z.",
      valueName: "date"))
  var since: DateArgument?

  @Option(
    help: ArgumentHelp(
      "Only records modified before this date, and records without a date; a day means its "
        + "midnight UTC.", valueName: "date"))
  var until: DateArgument?

  init() {}

  func validate() throws {
    guard let since, let until, since.date >= until.date else { return }
    throw ValidationError("--since must be before --until, or nothing is selected")
  }

  /// The options and whether each was given; they do not apply if nothing is selected.
  var given: [(name: String, isGiven: Bool)] {
    [
      ("--database", !database.isEmpty), ("--zone", !zone.isEmpty), ("--type", !type.isEmpty),
      ("--since", since != nil), ("--until", until != nil),
    ]
  }

  private var filter: RecordFilter {
    RecordFilter(
      databases: database.isEmpty ? nil : Set(database), modifiedSince: since?.date,
      modifiedBefore: until?.date)
  }

  /// Returns the filter for sources; a zone without an owner matches any owner.
  ///
  /// Each option is read by itself, so that a further one only takes away. Throws for a zone or type
  /// that no source has, and for a pattern that matches none, as a typo would otherwise give an empty
  /// result; warns if no zone has records of the types.
  func filter(in sources: [ArchiveSource], _ bar: ProgressBar? = nil) throws -> RecordFilter {
    var filter = filter
    guard !zone.isEmpty || !type.isEmpty else { return filter }
    try Self.sortResponses(of: sources, bar)
    if !zone.isEmpty { filter.zoneIDs = try zones(in: sources) }
    if !type.isEmpty { filter.recordTypes = try types(in: sources) }
    try warnOfNothing(filter, sources)
    return filter
  }

  /// Sorts responses in temporary files, before their records are read.
  static func sortResponses(of sources: [ArchiveSource], _ bar: ProgressBar?) throws {
    for case .responses(let responses) in sources {
      try Interruption.whileSorting { try responses.sort { try bar?.update($0) } }
    }
  }

  /// Warns if the zones and databases have no records of the types.
  private func warnOfNothing(_ filter: RecordFilter, _ sources: [ArchiveSource]) throws {
    guard [type.isEmpty, zone.isEmpty, database.isEmpty].count(where: { !$0 }) > 1 else { return }
    var filter = filter
    (filter.modifiedSince, filter.modifiedBefore) = (nil, nil)
    for withDeleted in [false, true] {
      for source in sources {
        guard try source.recordTypes(filter, withDeleted: withDeleted).names.isEmpty else { return }
      }
    }
    func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: " or ") }
    var words = "there are no records" + (type.isEmpty ? "" : " of type \(list(type))")
    if !zone.isEmpty { words += " in zone \(list(zone.map(\.argument)))" }
    if !database.isEmpty { words += " in the database \(list(database.map(\.rawValue)))" }
    ErrorReport.warn(words)
  }

  private func zones(in sources: [ArchiveSource]) throws -> Set<ZoneID> {
    let zones = Set(try sources.flatMap { try $0.zoneIDs() }.map(\.zoneID))
    var found: Set<ZoneID> = []
    for wanted in zone {
      // A zone that is named like a pattern is taken literally.
      var matching = zones.filter(wanted.matches)
      if matching.isEmpty { matching = zones.filter(wanted.matchesPattern) }
      guard !matching.isEmpty else {
        throw Self.missing("zone", wanted.argument, zones.sorted().map(\.description))
      }
      found.formUnion(matching)
    }
    return found
  }

  /// The record types of live records; those of deleted ones too if a name is not found without
  /// them, or for patterns, which select all that match.
  private func types(in sources: [ArchiveSource]) throws -> NameSet {
    func types(withDeleted: Bool) throws -> NameSet {
      NameSet(try sources.flatMap { try $0.recordTypes(.all, withDeleted: withDeleted).names })
    }
    var known = try types(withDeleted: false)
    if type.contains(where: { !known.contains($0) }) { known = try types(withDeleted: true) }
    return NameSet(try Self.chosen(type, among: known.names))
  }

  /// The record types that arguments choose: each by its exact name, by that of Core Data's entity, or
  /// else as a pattern.
  ///
  /// - Throws: `CommandError` for an argument that chooses none.
  static func chosen(_ arguments: [String], among types: [String]) throws -> [String] {
    try arguments.flatMap { argument in
      // A type that is named like a pattern is taken literally. An entity stands for its type.
      for name in [argument, CoreDataNames.prefix + argument] {
        let exact = types.filter { $0.sameScalars(as: name) }
        guard exact.isEmpty else { return exact }
      }
      let pattern = NamePattern(argument)
      let matching =
        pattern.isPattern
        ? types.filter { pattern.matches($0) || pattern.matches(CoreDataNames.modelName($0)) } : []
      guard !matching.isEmpty else {
        let isMirrored = types.contains { $0.hasPrefix(CoreDataNames.prefix) }
        throw missing(
          "record type", argument, types,
          isMirrored ? "; an object of a sub-entity has the type of its root entity" : "")
      }
      return matching
    }
  }

  private static func missing(
    _ what: String, _ name: String, _ known: [String], _ hint: String = ""
  ) -> CommandError {
    CommandError(
      "there is no \(what) '\(name)'; "
        + (known.isEmpty ? "there are none" : "available: \(known.firstFew)") + hint)
  }
}

extension DatabaseScope: ExpressibleByArgument {}

/// An ISO 8601 date: a day, which means midnight UTC, or a time with its UTC offset.
struct DateArgument: ExpressibleByArgument {
  let date: Date

  init?(argument: String) {
    guard let date = DateInput.date(argument) else { return nil }
    self.date = date
  }
}

/// A zone argument, `NAME` or `NAME/OWNER`.
struct ZoneArgument: ExpressibleByArgument {
  let argument: String
  let zoneID: ZoneID
  private let namesOwner: Bool

  /// Whether a zone matches. Without an owner in the argument, any owner matches.
  func matches(_ other: ZoneID) -> Bool {
    // A name may contain a slash.
    other.zoneName.sameScalars(as: argument) || (namesOwner && other == zoneID)
  }

  /// Whether a zone matches the argument as a pattern of its name and owner.
  func matchesPattern(_ other: ZoneID) -> Bool {
    NamePattern(zoneID.zoneName).matches(other.zoneName)
      && (!namesOwner || NamePattern(zoneID.ownerName).matches(other.ownerName))
  }

  init?(argument: String) {
    guard !argument.isEmpty, let zoneID = ZoneID(argument: argument) else { return nil }
    self.argument = argument
    self.zoneID = zoneID
    namesOwner = argument.contains("/")
  }
}
