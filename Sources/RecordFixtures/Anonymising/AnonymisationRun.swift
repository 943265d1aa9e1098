import Foundation
import RecordArchive
import RecordModel

/// One pass of an anonymisation over a source.
final class AnonymisationRun: SourceTransform, @unchecked Sendable {
  // Unchecked: the report is set once, before the run that uses it returns.
  private let settings: AnonymiserSettings
  private let traces = PersonTraces()
  private(set) var report = AnonymisationReport()
  /// The fields of each type in the source's schema; nil if the run reads a part of a source, which may have none
  /// of the records that rules are for.
  private let schemaFields: [ExactString: Set<ExactString>]?

  init(_ settings: AnonymiserSettings, schemaFields: [ExactString: Set<ExactString>]? = nil) {
    self.settings = settings
    self.schemaFields = schemaFields
  }

  func anonymiser(for info: ContainerInfo) -> RecordAnonymiser {
    var settings = settings
    settings.currentUser = info.currentUserRecordName
    return RecordAnonymiser(settings, traces)
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
    traces.note(assetKind: content.kindHash, of: content.sha256.description)
    return AssetReplacement(sha256: content.sha256.description, size: content.size) { body in
      try content.forEachChunk(body)
    }
  }

  /// Sums up the counts of all threads.
  func finish(_ workers: [any TransformWorker], assets: Int, missingAssets: Int) throws {
    var totals = RecordAnonymiser.Totals()
    for case let worker as RecordAnonymiser in workers {
      worker.add(to: &totals)
      worker.finishTraces()
    }
    guard totals.unnamed.isEmpty else {
      throw AnonymisationError.unnamed(
        totals.unnamed.sorted {
          let order = compareUTF8($0.recordType, $1.recordType)
          return order != 0 ? order < 0 : compareUTF8($0.name, $1.name) < 0
        })
    }
    try checkNames(totals)
    var report = totals.report
    (report.assets, report.missingAssets) = (assets, missingAssets)
    totals.personal.forEachMatch { key, kind, count in
      report.fields[key, default: .init()].found[kind] = count
    }
    for key in report.fields.keys { report.fields[key]?.addNumbers() }
    let policy = settings.policy
    for (place, reason) in policy.accepted {
      report.fields[.init(recordType: "", field: place.rawValue)]?.accepted = reason
    }
    report.acceptsMissingAssets = policy.accepted[.assets] != nil
    report.isNameSearchCut = totals.personal.isFull
    report.verdict = traces.verdict()
    self.report = report
  }

  /// Throws if the policy names a type or field that neither a record nor the schema has.
  private func checkNames(_ totals: RecordAnonymiser.Totals) throws {
    guard var known = schemaFields else { return }
    for (type, fields) in totals.met { known[type, default: []].formUnion(fields) }
    try settings.policy.requireKnown(known)
  }
}

extension RecordAnonymiser: TransformWorker {}

extension RecordAnonymiser {
  /// The counts of all threads.
  struct Totals {
    var report = AnonymisationReport()
    var personal = PersonalWords()
    var unnamed: Set<AnonymisationError.UnnamedField> = []
    /// The types and fields that records have.
    var met: [ExactString: Set<ExactString>] = [:]
  }

  /// Adds the counts of this thread.
  func add(to totals: inout Totals) {
    totals.report.records += records
    totals.report.droppedFields += droppedFields
    totals.report.droppedReferences += droppedReferences
    totals.report.linesWithEmails += linesWithEmails
    totals.personal.add(personal)
    for (place, found) in header {
      totals.report.fields[.init(recordType: "", field: place.rawValue), default: .init()]
        .add(found)
    }
    for type in types.values where type.isMet || !type.fields.isEmpty {
      totals.met[ExactString(type.name), default: []].formUnion(type.fields.keys)
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
