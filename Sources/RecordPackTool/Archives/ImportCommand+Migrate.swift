import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordMigration
import RecordModel
import RecordText

extension ImportCommand {
  /// The results of the migrations of an import.
  struct MigrationSummary {
    /// The sources with the same chain of migrations, and the report of their records.
    struct Way {
      var migrator: Migrator
      var report: MigrationReport
      var sources: [String]
    }

    private(set) var ways: [Way] = []
    /// The sources that needed no migration.
    private(set) var asTheyWere: [String] = []

    init() {}

    init(_ sources: [ArchiveSource], _ migrators: [Migrator?], _ reports: [MigrationReport?]) {
      for (source, (migrator, report)) in zip(sources, zip(migrators, reports)) {
        guard let migrator, let report else {
          asTheyWere.append(source.name)
          continue
        }
        let versions = Self.versions(migrator)
        if let known = ways.firstIndex(where: { Self.versions($0.migrator) == versions }) {
          ways[known].report.add(report)
          ways[known].sources.append(source.name)
        } else {
          ways.append(Way(migrator: migrator, report: report, sources: [source.name]))
        }
      }
    }

    private static func versions(_ migrator: Migrator) -> [String] {
      migrator.migrations.flatMap { [$0.from, $0.to] }
    }

    func lines(_ style: TerminalStyle) -> [String] {
      let isMixed = ways.count + asTheyWere.count > 1
      var lines: [String] = []
      for way in ways {
        if isMixed { lines.append(way.sources.joined(separator: ", ").visible + ":") }
        lines += MigrationPrinter(report: way.report, migrator: way.migrator).lines("became", style)
      }
      if !asTheyWere.isEmpty {
        let names = asTheyWere.joined(separator: ", ").visible
        lines.append(
          "\(names): already \(asTheyWere.count == 1 ? "has" : "have") the schema version")
      }
      return lines
    }

    /// One report for each chain.
    var json: JSONValue {
      .array(
        ways.map { way in
          let report = MigrationPrinter(report: way.report, migrator: way.migrator)
            .json(isDryRun: false)
          let members = (report.members ?? []).filter { !["format", "version"].contains($0.name) }
          return .object(
            [.init("bundles", .array(way.sources.map(JSONValue.string)))] + members)
        })
    }
  }

  /// The migrators of the sources; nil for those that already have the target version.
  func migrators(for sources: [ArchiveSource]) throws -> [Migrator?] {
    var info: ContainerInfo?
    if FileManager.default.fileExists(atPath: target) {
      try Inputs.refuseBundle(target)
      info = try Inputs.source(target).info()
    }
    return try MigrationChoice(paths: migrate, to: migrateTo)
      .migrators(for: sources, into: info, named: target)
  }
}
