import MockCloud
import RecordModel

/// Exchanges the assets of records between their forms in requests, in the container and in
/// responses.
struct ServedAssets {
  let call: EndpointCall

  // MARK: Responses

  /// Returns a record with assets as clients see them: with an address, and without the digest.
  func served(_ record: ResultRecord) -> ResultRecord {
    guard record.fields.contains(where: \.value.isOfAssets) else { return record }
    let fields = record.fields.map { $0.replacingAssets(served) }
    return ResultRecord(systemFields: record.systemFields, fields: fields)
  }

  private func served(_ asset: Asset) -> Asset {
    var result = asset
    result.sha256 = nil
    result.receipt = nil
    result.otherMembers = []
    guard let sha256 = asset.sha256 else { return result }
    result.fileChecksum = asset.fileChecksum ?? AssetChecksum.text(ofSHA256: sha256)
    let link = DownloadLink(place: call.place, sha256: sha256)
    // Clients replace the placeholder by a file name.
    result.downloadURL = call.address("assets/download", .download, link.words) + "/${f}"
    return result
  }

  // MARK: Requests

  /// Returns drafts with the assets that they mean: uploaded ones by their receipts, others as the
  /// stored record has them.
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST` for an asset that is neither.
  func resolved(_ saves: [SaveRequest]) async throws -> [SaveRequest] {
    let withOthers = saves.filter { save in
      save.draft.fields.contains { $0.value.assets.contains { $0.receipt == nil } }
    }
    var stored: [RecordID: ResultRecord] = [:]
    if !withOthers.isEmpty {
      let results = try await call.database.records(
        for: withOthers.map(\.draft.recordID), desiredKeys: nil)
      stored = results.compactMapValues { try? $0.get() }
    }
    return try saves.map { save in
      var result = save
      for field in save.draft.fields where field.value.isOfAssets {
        let known = stored[save.draft.recordID]?.fields.flatMap(\.value.assets) ?? []
        result.draft.setField(try field.replacingAssets { try resolved($0, known) })
      }
      return result
    }
  }

  private func resolved(_ asset: Asset, _ known: [Asset]) throws -> Asset {
    if let text = asset.receipt {
      guard let receipt = AssetReceipt(text, call.signer), receipt.place == call.place.words else {
        throw WebError(.badRequest, "the receipt of an asset is not one of this container")
      }
      guard let content = call.uploads.content(receipt.sha256) else {
        return Asset(sha256: receipt.sha256, size: receipt.size)
      }
      return Asset(data: content)
    }
    let same = known.first { known in
      guard let checksum = asset.fileChecksum else { return false }
      return served(known).fileChecksum?.sameScalars(as: checksum) ?? false
    }
    guard let same else {
      throw WebError(.badRequest, "an asset has no receipt, and is not one of the stored record")
    }
    return same
  }
}
