import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel

extension Endpoint {
  /// `records/query`: finds records. Without a zone it searches the default zone, or all zones with
  /// `zoneWide`. With a zone it ignores `zoneWide`. Source: *CloudKit Web Services Reference*, "Fetching
  /// Records Using a Query".
  static func queryRecords(_ body: inout RequestBody) throws -> Answer {
    let isZoneWide = try body.value("zoneWide", Bool.self) ?? false
    let named = try body.zone()
    body.zoneID = named ?? .default
    let zoneID = isZoneWide ? named : body.zoneID
    let query = try body.value("query", RecordQuery.self)
    let desiredKeys = try body.value("desiredKeys", [String].self)
    let resultsLimit = try body.resultsLimit() ?? 0
    let cursor = try body.value("continuationMarker", String.self).map { marker in
      guard let data = Data(base64Encoded: marker) else {
        throw WebError.invalid("the continuationMarker is not one that this server made")
      }
      return QueryCursor(data: data)
    }
    let numbersAsStrings = try body.value("numbersAsStrings") ?? false
    let wantsSyncToken = try body.value("getCurrentSyncToken") ?? false
    guard query != nil || cursor != nil else {
      throw WebError.missing("query")
    }
    return { call in
      let database = call.database
      // The token is older than the records: a change during the query is fetched with it.
      let syncToken =
        wantsSyncToken || call.flags.contains("getCurrentSyncToken")
        ? try? await database.currentChangeToken(ofZone: zoneID) : nil
      let page =
        if let cursor {
          try await database.records(
            continuingMatchFrom: cursor, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
        } else {
          try await database.records(
            matching: query ?? RecordQuery(recordType: ""), inZoneWith: zoneID,
            desiredKeys: desiredKeys, resultsLimit: resultsLimit)
        }
      let response = RecordResponse(call, numbersAsStrings: numbersAsStrings)
      var members = JSONObjectWriter()
      members.add(
        "records",
        .array(try page.matchResults.map { try response.result($0.1, named: $0.0.recordName) }))
      members.add("continuationMarker", page.queryCursor?.data.base64EncodedString())
      members.add("syncToken", syncToken?.json)
      return members.value
    }
  }

  /// `records/lookup`: fetches records by their names. The response has a record or an error for each
  /// name, in their order.
  static func lookUpRecords(_ body: inout RequestBody) throws -> Answer {
    body.zoneID = try body.zone() ?? .default
    let desiredKeys = try body.value("desiredKeys", [String].self)
    let numbersAsStrings = try body.value("numbersAsStrings") ?? false
    let records = try body.objects("records") { record in
      let zoneID = try record.zone() ?? record.zoneID
      let recordID = RecordID(recordName: try record.required("recordName"), zoneID: zoneID)
      return (recordID, try record.value("desiredKeys") ?? desiredKeys)
    }
    return { call in
      let results = try await call.database.records(for: records.map(\.0), desiredKeys: nil)
      let response = RecordResponse(call, numbersAsStrings: numbersAsStrings)
      let items = try records.map { recordID, keys in
        try response.result(
          results[recordID]?.map { $0.keeping(fields: keys) }, named: recordID.recordName)
      }
      return .object([.init("records", .array(items))])
    }
  }

  /// `records/modify`: saves and deletes records. The response has a record or an error for each
  /// operation, in their order.
  static func modifyRecords(_ body: inout RequestBody) throws -> Answer {
    body.zoneID = try body.zone() ?? .default
    let atomic = try body.value("atomic", Bool.self)
    let desiredKeys = try body.value("desiredKeys", [String].self)
    let numbersAsStrings = try body.value("numbersAsStrings") ?? false
    let operations = try body.objects("operations") { try RecordOperation(&$0) }
    return { call in
      var saves: [SaveRequest] = []
      var deletions: [RecordDeletion] = []
      let untyped = operations.filter(\.lacksType).map(\.recordID)
      let stored =
        untyped.isEmpty ? [:] : try await call.database.records(for: untyped, desiredKeys: [])
      for operation in operations {
        let type = try? stored[operation.recordID]?.get().recordType
        switch operation.change(ofType: type) {
        case .save(let save): saves.append(save)
        case .delete(let deletion): deletions.append(deletion)
        }
      }
      saves = try await ServedAssets(call: call).resolved(saves)
      let roots = try await addRoots(of: operations, to: &saves, call.database)
      // Custom zones are atomic by default. The default zone cannot be: a request for it is an error.
      var rules = try call.rules
      if atomic == nil { rules.defaultZoneAtomicity = .ignored }
      let results = try await call.database.modifyRecords(
        saves, deleting: deletions, atomically: atomic ?? true, rules: rules)
      let response = RecordResponse(call, numbersAsStrings: numbersAsStrings)
      let items = try operations.map { operation in
        let recordID = operation.recordID
        if operation.isDeletion {
          return try response.deletion(results.deleteResults[recordID], of: recordID)
        }
        var result = results.saveResults[recordID]
        // The request has the share alone: the error of the share's root is the reason, unless the
        // root fails because of the share.
        if case .failure = result, let root = roots[recordID],
          case .failure(let error)? = results.saveResults[root],
          let code = (error as? CloudError)?.code,
          code != .batchRequestFailed, code != .referenceViolation
        {
          result = .failure(error)
        }
        return try response.result(
          result?.map { $0.keeping(fields: operation.desiredKeys ?? desiredKeys) },
          named: recordID.recordName)
      }
      return .object([.init("records", .array(items))])
    }
  }

  /// Makes the roots of new shares (`forRecord`) refer to their shares: in the operations that save
  /// the roots, or in operations that are added.
  ///
  /// - Returns: the records that were added, by their shares.
  private static func addRoots(
    of operations: [RecordOperation], to saves: inout [SaveRequest], _ database: MockDatabase
  ) async throws -> [RecordID: RecordID] {
    var added: [RecordID: RecordID] = [:]
    let missing = operations.compactMap(\.root?.recordID)
      .filter { root in !saves.contains { $0.draft.recordID == root } }
    let stored =
      missing.isEmpty ? [:] : try await database.records(for: missing, desiredKeys: [])
    for operation in operations {
      guard var root = operation.root else { continue }
      let share = Reference(recordID: operation.recordID)
      if let index = saves.firstIndex(where: { $0.draft.recordID == root.recordID }) {
        saves[index].draft.share = share
        saves[index].sendsShare = true
      } else if let record = try? stored[root.recordID]?.get() {
        root.recordType = record.recordType
        root.recordChangeTag = root.recordChangeTag ?? record.recordChangeTag
        root.share = share
        var save = SaveRequest(DraftRecord(systemFields: root), .ifServerRecordUnchanged)
        (save.sendsParent, save.sendsShare) = (false, true)
        saves.append(save)
        added[operation.recordID] = root.recordID
      }
    }
    return added
  }
}
