import ArgumentParser
import Foundation
import MockCloud
import RecordArchive
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

extension ImportCommand {
  /// The results of the migrations of an import.
  struct MigrationSummary {
    /// The bundles with the same chain of migrations, and the report of their records.
    struct Way {
      var migrator: Migrator
      var report: MigrationReport
      var bundles: [String]
    }

    private(set) var ways: [Way] = []
    /// The bundles that needed no migration.
    private(set) var asTheyWere: [String] = []

    init() {}

    init(_ sources: [Archiver.MigratedBundle], _ reports: [MigrationReport?]) {
      for (source, report) in zip(sources, reports) {
        let name = source.bundle.fileNames[0]
        guard let migrator = source.migrator, let report else {
          asTheyWere.append(name)
          continue
        }
        let versions = Self.versions(migrator)
        if let known = ways.firstIndex(where: { Self.versions($0.migrator) == versions }) {
          ways[known].report.add(report)
          ways[known].bundles.append(name)
        } else {
          ways.append(Way(migrator: migrator, report: report, bundles: [name]))
        }
      }
    }

    private static func versions(_ migrator: Migrator) -> [String] {
      migrator.migrations.flatMap { [$0.from, $0.to] }
    }

    func lines(_ style: Style) -> [String] {
      let isMixed = ways.count + asTheyWere.count > 1
      var lines: [String] = []
      for way in ways {
        if isMixed { lines.append(way.bundles.joined(separator: ", ").visible + ":") }
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
            [.init("bundles", .array(way.bundles.map(JSONValue.string)))] + members)
        })
    }
  }

  /// Migrates and imports bundles.
  func importMigrated(
    _ bundles: [BundleReader], _ archiver: Archiver
  ) throws -> (ImportReport, isNew: Bool, MigrationSummary) {
    let choice = MigrationChoice(paths: migrate, to: migrateTo)
    var info: ContainerInfo?
    if FileManager.default.fileExists(atPath: target) {
      try Inputs.refuseBundle(target)
      info = try Inputs.source(target).info()
    }
    let migrators = try choice.migrators(for: bundles, into: info, named: target)
    let sources = zip(bundles, migrators).map { Archiver.MigratedBundle($0, with: $1) }
    var reports: [MigrationReport?] = []
    let (imported, isNew) = try intoTarget {
      let result = try archiver.importBundles(sources, into: $0)
      reports = result.migrations
      return result.imported
    } creating: {
      let result = try archiver.importBundles(sources, creating: target)
      reports = result.migrations
      return result.imported
    }
    return (imported, isNew, MigrationSummary(sources, reports))
  }
}
