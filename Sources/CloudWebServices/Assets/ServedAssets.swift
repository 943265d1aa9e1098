import Foundation
import MockCloud
import RecordCoding
import RecordModel
import RecordPlatform

/// Exchanges the assets of records between their forms in requests, in the container and in
/// responses.
struct ServedAssets {
  let call: EndpointCall

  // MARK: Responses

  /// Returns a record with assets as clients see them: with an address, and without the digest.
  func served(_ record: ResultRecord) throws -> ResultRecord {
    guard record.fields.contains(where: \.value.isOfAssets) else { return record }
    let fields = try record.fields.map { try $0.replacingAssets(served) }
    return ResultRecord(systemFields: record.systemFields, fields: fields)
  }

  private func served(_ asset: Asset) throws -> Asset {
    var result = asset
    result.sha256 = nil
    result.receipt = nil
    result.otherMembers = []
    guard let sha256 = asset.sha256 else { return result }
    result.fileChecksum = asset.fileChecksum ?? AssetChecksum.text(ofSHA256: sha256)
    result.referenceChecksum =
      asset.referenceChecksum ?? AssetChecksum.text(ofSHA256: AssetChecksum.next(sha256))
    result.wrappingKey = asset.wrappingKey ?? AssetChecksum.key(sha256)
    let ticket = Ticket.download(from: call.address, sha256: sha256)
    // Clients replace the placeholder by a file name.
    result.downloadURL = try call.url("assets/download", ticket) + "/${f}"
    return result
  }

  // MARK: Requests

  /// Returns drafts with the assets that they mean: uploaded ones by their receipts, others as the
  /// stored record has them.
  ///
  /// An asset that is neither rejects its record.
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
        do {
          result.draft.setField(try field.replacingAssets { try resolved($0, known) })
        } catch let error as CloudError {
          result.rejection = error
        }
      }
      return result
    }
  }

  private func resolved(_ asset: Asset, _ known: [Asset]) throws -> Asset {
    if let text = asset.receipt {
      guard
        case .receipt(of: call.address, sha256: let sha256, size: let size)? =
          call.signer.ticket(of: text)
      else {
        // The live server's words, in a comment of a public AngularJS client.
        throw CloudError(.invalidArguments, "bad upload receipt (did_not_validate)")
      }
      guard let content = call.uploads.content(sha256) else {
        return Asset(sha256: sha256, size: size)
      }
      return Asset(data: content)
    }
    let same = known.first { known in
      let checksum = known.fileChecksum ?? known.sha256.map(AssetChecksum.text(ofSHA256:))
      return asset.fileChecksum != nil && checksum.sameScalars(as: asset.fileChecksum)
    }
    guard let same else {
      throw CloudError(
        .invalidArguments, "an asset has no receipt, and is not one of the stored record")
    }
    return same
  }

  // MARK: Uploads

  /// Returns the value of a field that gets an uploaded content.
  static func receipt(
    ofSHA256 sha256: String, size: Int64, for address: ContainerAddress, _ signer: TicketSigner
  ) throws -> JSONValue {
    let next = AssetChecksum.next(sha256)
    var members = JSONObjectWriter()
    members.add("fileChecksum", AssetChecksum.text(ofSHA256: sha256))
    members.add("size", .integer(size))
    members.add("referenceChecksum", AssetChecksum.text(ofSHA256: next))
    members.add("wrappingKey", AssetChecksum.key(sha256))
    members.add(
      "receipt", try signer.token(.receipt(of: address, sha256: sha256, size: size)))
    return members.value
  }
}

/// The checksums of assets. The server's are opaque to clients; these are of the SHA-256 digest.
private enum AssetChecksum {
  static func text(ofSHA256 sha256: String) -> String {
    (Data([1]) + bytes(sha256)).base64EncodedString()
  }

  static func next(_ sha256: String) -> String {
    Data(sha256.utf8).withUnsafeBytes { "\(SHA256Digest(of: $0))" }
  }

  /// A key that encrypts nothing: the container has the contents unencrypted.
  static func key(_ sha256: String) -> String {
    bytes(next(next(sha256))).prefix(16).base64EncodedString()
  }

  private static func bytes(_ sha256: String) -> Data {
    SHA256Digest(hexadecimal: sha256)?.withBytes { Data($0) } ?? Data()
  }
}
