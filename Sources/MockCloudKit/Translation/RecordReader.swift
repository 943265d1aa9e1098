import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel

/// Translates the results of a database. The content of assets is written to files.
struct RecordReader: Sendable {
  /// The container of the database, which knows its user.
  let container: any CloudContainer
  /// A database of the container that has the content of assets.
  let contents: any CloudDatabase

  init(_ backing: Backing) {
    container = backing.container
    contents = backing.contents
  }

  /// Translates a record.
  ///
  /// - Parameter writesAssets: Whether the record's assets get files.
  func record(_ record: ResultRecord, writesAssets: Bool = true) async throws -> CKRecord {
    var state = RecordState(
      recordType: record.recordType, recordID: CKRecord.ID(record.recordID))
    let system = record.systemFields
    state.recordChangeTag = system.recordChangeTag
    state.created = RecordState.Stamp(system.created)
    state.modified = RecordState.Stamp(system.modified)
    state.parent = system.parent.map(CKRecord.Reference.init)
    state.share = system.share.map(CKRecord.Reference.init)
    for field in record.fields {
      guard let value = await object(field, of: writesAssets ? record.recordID : nil) else {
        continue
      }
      if field.isEncrypted {
        state.encrypted.read(value, from: field)
      } else {
        state.plain.read(value, from: field)
      }
    }
    state.base = record
    guard var share = try record.readShareInfo() else { return CKRecord(state) }
    if share.currentUserParticipant == nil {
      // The framework finds the current user among the participants.
      let user = try? await container.userRecordID().recordName
      share.currentUserParticipant = share.participants.first {
        $0.userIdentity.userRecordName == user
      }
    }
    return CKShare(state, ShareState(share))
  }

  /// Translates a value; nil for a value of an unknown type.
  ///
  /// - Parameter recordID: The record whose assets get files; nil for none.
  private func object(_ field: Field, of recordID: RecordID?) async -> (any CKRecordValue)? {
    switch field.value {
    case .string(let value): value as NSString
    case .int64(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .timestamp(let value): value as NSDate
    case .bytes(let value): value as NSData
    case .location(let value): CLLocation(value)
    case .reference(let value): CKRecord.Reference(value)
    case .asset(let value): await asset(value, recordID.map { .init($0, field: field.name) })
    case .stringList(let values): NSArray(array: values.map { $0 as NSString })
    case .int64List(let values): NSArray(array: values.map { NSNumber(value: $0) })
    case .doubleList(let values): NSArray(array: values.map { NSNumber(value: $0) })
    case .timestampList(let values): NSArray(array: values.map { $0 as NSDate })
    case .bytesList(let values): NSArray(array: values.map { $0 as NSData })
    case .locationList(let values): NSArray(array: values.map { CLLocation($0) })
    case .referenceList(let values): NSArray(array: values.map { CKRecord.Reference($0) })
    case .assetList(let values): NSArray(array: await assets(values, field.name, of: recordID))
    case .emptyList: NSArray()
    case .unknown: nil
    }
  }

  private func assets(
    _ assets: [Asset], _ field: String, of recordID: RecordID?
  ) async -> [CKAsset] {
    var result: [CKAsset] = []
    for (index, asset) in assets.enumerated() {
      let place = recordID.map { AssetHolder.Place($0, field: field, index: index) }
      result.append(await self.asset(asset, place))
    }
    return result
  }

  /// An asset whose content is not in the container has no file.
  private func asset(_ asset: Asset, _ place: AssetHolder.Place?) async -> CKAsset {
    guard let place else { return CKAsset(file: nil) }
    let holder = AssetHolder(place)
    let file = try? await AssetHolder.$current.withValue(holder) {
      try await contents.fileURL(for: asset)
    }
    return CKAsset(file: file, holder: holder)
  }

  // MARK: Results

  /// - Parameter clients: The records that the request saves.
  func results<ID: FrameworkIdentified>(
    _ results: [ID: Result<ResultRecord, any Error>], saving clients: [RecordID: SentRecord] = [:]
  ) async -> [ID.Framework: Result<CKRecord, any Error>] {
    var translated: [ID.Framework: Result<CKRecord, any Error>] = [:]
    for (id, result) in results {
      translated[id.framework] = await self.result(
        result, saving: (id as? RecordID).flatMap { clients[$0] })
    }
    return translated
  }

  func result(
    _ result: Result<ResultRecord, any Error>, saving client: SentRecord? = nil
  ) async -> Result<CKRecord, any Error> {
    do {
      // The object keeps its own values.
      let saved = try await record(result.get(), writesAssets: client == nil)
      return .success(client?.updated(from: saved) ?? saved)
    } catch {
      return .failure(await self.error(error, saving: client?.record))
    }
  }

  func results<ID: FrameworkIdentified>(
    _ results: [ID: Result<Void, any Error>]
  ) async -> [ID.Framework: Result<Void, any Error>] {
    await self.results(results) { $0 }
  }

  /// - Parameter clients: The zones that the request saves.
  func results(
    _ results: [ZoneID: Result<RecordZone, any Error>], saving clients: [CKRecordZone] = []
  ) async -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
    let clients = Dictionary(
      clients.map { ($0.zoneID, $0) }, uniquingKeysWith: { first, _ in first })
    return await self.results(results) { zone in
      let saved = CKRecordZone(zone)
      return clients[saved.zoneID]?.updated(from: saved) ?? saved
    }
  }

  func results<ID: FrameworkIdentified, Success, Framework>(
    _ results: [ID: Result<Success, any Error>], _ translate: (Success) throws -> Framework
  ) async -> [ID.Framework: Result<Framework, any Error>] {
    var translated: [ID.Framework: Result<Framework, any Error>] = [:]
    for (id, result) in results {
      do {
        translated[id.framework] = .success(try translate(result.get()))
      } catch {
        translated[id.framework] = .failure(await self.error(error))
      }
    }
    return translated
  }
}

extension RecordState.Stamp {
  fileprivate init(_ stamp: RecordStamp?) {
    self.init(
      date: stamp?.date, userRecordID: stamp?.userRecordID.map { CKRecord.ID($0) },
      device: stamp?.deviceID)
  }
}
