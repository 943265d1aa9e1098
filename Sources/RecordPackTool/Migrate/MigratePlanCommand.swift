import ArgumentParser
import Foundation
import RecordArchive
import RecordBundle
import RecordMigration
import RecordSchema

struct MigratePlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Writes the beginning of a plan out of two schemas.",
    discussion: """
      What can be told from the schemas is written down; every guess and every gap
      is a comment that begins with QUESTION. Steps that would lose values are
      comments until a person has decided. With --records, a bundle or container of
      the first schema tells what the values look like.

      EXAMPLES
        recordpack migrate plan v1.ckdb v2.ckdb > v2.yml
        recordpack migrate plan v1.ckdb v2.ckdb --records Tact.recordpack
      """)

  @Argument(help: "The schema records have.", completion: .file(extensions: ["ckdb"]))
  var from: String

  @Argument(help: "The schema they should have.", completion: .file(extensions: ["ckdb"]))
  var to: String

  @Option(
    help: ArgumentHelp("Records of the first schema.", valueName: "source"), completion: .file())
  var records: String?

  func run() throws {
    let old = try MigrationDirectory.schema(at: from)
    let new = try MigrationDirectory.schema(at: to)
    var statistics: FieldStatistics?
    if let records {
      var counted = FieldStatistics()
      try Inputs.source(records).forEachRecord { record, _ in counted.add(record) }
      statistics = counted
    }
    let skeleton = PlanSkeleton(
      from: old, named: from, to: new, named: to, statistics: statistics)
    let output = StandardOutput()
    try output.write(skeleton.yaml)
    try output.flush()
    StandardError.write(
      "\(Numbers.count(skeleton.questions, "question")) to answer: look for QUESTION\n")
  }
}
