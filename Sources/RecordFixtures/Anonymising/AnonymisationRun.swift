import Foundation
import RecordArchive
import RecordModel
import RecordPlatform

/// One pass of an anonymisation over a source.
final class AnonymisationRun: SourceTransform, @unchecked Sendable {
  // Unchecked: the report is set once, before the run that uses it returns.
  private let settings: AnonymiserSettings
  private let smallestGroup: Int
  private let counts = SingleOutCounts()
  private(set) var report = AnonymisationReport()
  /// The names in rules that the schema does not have.
  private let unknown: [AnonymisationPolicy.UnknownName]
  /// The names in rules, to report those that no record has.
  private let named: [(recordType: String, field: String?)]

  init(
    _ settings: AnonymiserSettings, smallestGroup: Int,
    unknown: [AnonymisationPolicy.UnknownName] = [],
    named: [(recordType: String, field: String?)] = []
  ) {
    self.settings = settings
    self.smallestGroup = smallestGroup
    self.unknown = unknown
    self.named = named
  }

  func anonymiser(for info: ContainerInfo) -> RecordAnonymiser {
    var settings = settings
    settings.currentUser = info.currentUserRecordName
    return RecordAnonymiser(settings, counts)
  }

  func makeWorker(for info: ContainerInfo) -> any TransformWorker { anonymiser(for: info) }

  func replacement(
    forAsset sha256: String, size: Int, beginning: UnsafeRawBufferPointer
  ) -> AssetReplacement {
    let assets = settings.policy.assets
    let content = ReplacementContent(
      replacing: UnsafeRawBufferPointer(
        rebasing: beginning.prefix(ReplacementContent.beginningSize)),
      size: assets == .contentSize ? size : nil,
      seed: assets == .contentConsistent ? settings.pseudonyms.seed("content", of: sha256) : 0)
    return AssetReplacement(sha256: content.sha256.description, size: content.size) { body in
      try content.forEachChunk(body)
    }
  }

  func finish(_ workers: [any TransformWorker], assets: Int, missingAssets: Int) throws {
    try finish(workers.compactMap { $0 as? RecordAnonymiser }, assets, missingAssets)
  }

  /// Sums up the counts of all threads.
  func finish(_ workers: [RecordAnonymiser], _ assets: Int, _ missingAssets: Int) throws {
    var totals = RecordAnonymiser.Totals()
    for worker in workers {
      worker.add(to: &totals)
      worker.finishCounts()
    }
    guard totals.unnamed.isEmpty else {
      throw AnonymisationError.unnamed(
        totals.unnamed.sorted {
          let order = compareUTF8($0.recordType, $1.recordType)
          return order != 0 ? order < 0 : compareUTF8($0.name, $1.name) < 0
        })
    }
    var report = totals.report
    for key in report.fields.keys { report.fields[key]?.addNumbers() }
    (report.assets, report.missingAssets) = (assets, missingAssets)
    let met = Set(report.fields.keys)
    let types = Set(met.map { ExactString($0.recordType) })
    func isMet(_ recordType: String, _ field: String?) -> Bool {
      guard let field else { return types.contains(ExactString(recordType)) }
      if recordType == AnonymisationPolicy.anyType {
        return met.contains { $0.field.sameScalars(as: field) }
      }
      return met.contains(.init(recordType: recordType, field: field))
    }
    for name in unknown where !isMet(name.recordType, name.field) { throw name.error }
    report.unmetRules = named.filter { !isMet($0.recordType, $0.field) }
      .map { type, field in field.map { "\(type).\($0)" } ?? type }
    totals.personal.forEachMatch { type, field, count in
      report.fields[.init(recordType: type, field: field), default: .init()].names = count
    }
    report.isNameSearchCut = totals.personal.isFull
    counts.add(to: &report, smallest: smallestGroup)
    self.report = report
  }
}

extension RecordAnonymiser: TransformWorker {
  func tombstone(_ tombstone: DeletedRecord) throws -> DeletedRecord {
    let replaced = anonymise(tombstone)
    try replaced.jsonValue().compactData.withUnsafeBytes(inspect)
    return replaced
  }
}

extension RecordAnonymiser {
  /// The counts of all threads.
  struct Totals {
    var report = AnonymisationReport()
    var personal = PersonalWords()
    var unnamed: Set<AnonymisationError.UnnamedField> = []
  }

  /// Adds the counts of this thread.
  func add(to totals: inout Totals) {
    totals.report.records += records
    totals.report.droppedFields += droppedFields
    totals.report.linesWithEmails += linesWithEmails
    totals.personal.add(personal)
    for (place, found) in header {
      totals.report.fields[.init(recordType: "", field: place), default: .init()].add(found)
    }
    for type in types.values {
      for state in type.fields.values {
        let key = AnonymisationReport.Key(recordType: type.name, field: state.name.string)
        totals.report.fields[key, default: .init()].add(state.report)
        if let typeName = state.unnamed {
          totals.unnamed.insert(
            .init(recordType: type.name, name: state.name.string, typeName: typeName))
        }
      }
    }
  }
}
