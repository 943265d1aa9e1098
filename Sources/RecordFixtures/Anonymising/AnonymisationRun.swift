import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordPlatform

/// One pass of an anonymisation over a source.
final class AnonymisationRun: SourceTransform, @unchecked Sendable {
  // Unchecked: the report is set once, before the run that uses it returns.
  private let anonymiser: Anonymiser
  private(set) var report = AnonymisationReport()
  /// What rules name and the schema does not have.
  private let unknown: [AnonymisationPolicy.UnknownName]
  /// What rules name, to report what no record has.
  private let named: [(recordType: String, field: String?)]

  init(
    _ anonymiser: Anonymiser, unknown: [AnonymisationPolicy.UnknownName] = [],
    named: [(recordType: String, field: String?)] = []
  ) {
    self.anonymiser = anonymiser
    self.unknown = unknown
    self.named = named
  }

  func makeWorker(for info: ContainerInfo) -> any TransformWorker {
    var anonymiser = anonymiser
    anonymiser.currentUser = info.currentUserRecordName
    return AnonymisationWorker(anonymiser)
  }

  func replacement(
    forAsset sha256: String, size: Int, beginning: UnsafeRawBufferPointer
  ) -> AssetReplacement {
    let content = anonymiser.content(
      ofAsset: sha256, size: size,
      beginning: UnsafeRawBufferPointer(
        rebasing: beginning.prefix(CoverContent.beginningSize)))
    return AssetReplacement(sha256: content.sha256.description, size: size) { body in
      try content.forEachChunk(body)
    }
  }

  func finish(_ workers: [any TransformWorker], assets: Int, missingAssets: Int) throws {
    var report = AnonymisationReport()
    (report.assets, report.missingAssets) = (assets, missingAssets)
    var words = PersonalWords()
    var unnamed: Set<AnonymisationError.UnnamedField> = []
    for case let worker as AnonymisationWorker in workers {
      worker.addUp()
      worker.tally.add(to: &report)
      words.add(worker.tally.personal)
      unnamed.formUnion(worker.tally.unnamed)
    }
    guard unnamed.isEmpty else {
      throw AnonymisationError.unnamed(
        unnamed.sorted {
          let order = compareUTF8($0.recordType, $1.recordType)
          return order != 0 ? order < 0 : compareUTF8($0.name, $1.name) < 0
        })
    }
    func isMet(_ recordType: String, _ field: String?) -> Bool {
      report.fields.keys.contains {
        $0.recordType == recordType && (field == nil || $0.field == field)
      }
    }
    for name in unknown where !isMet(name.recordType, name.field) { throw name.error }
    report.unmetRules = named.filter { !isMet($0.recordType, $0.field) }
      .map { type, field in field.map { "\(type).\($0)" } ?? type }
    words.forEachMatch { type, field, count in
      report.fields[.init(recordType: type, field: field), default: .init()].names = count
    }
    report.isNameSearchCut = words.isFull
    self.report = report
  }
}
