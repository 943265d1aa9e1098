import Foundation
import RecordCoding
import RecordModel

extension Endpoint {
  /// `assets/upload`: returns addresses that take the contents of assets. The response of such an
  /// address is the value of a field in `records/modify`.
  static func uploadAssets(_ body: inout RequestBody) throws -> Answer {
    _ = try body.zone()
    let tokens = try body.objects("tokens") { token in
      _ = try token.value("recordType", String.self)
      return (
        fieldName: try token.required("fieldName", String.self),
        recordName: try token.value("recordName", String.self) ?? UUID().uuidString
      )
    }
    return { call in
      // Whoever may save a record may upload its assets.
      if case .server = call.sender {} else { try await call.requireUser() }
      let maximum = call.served.container.rules.maxItems
      guard tokens.count <= maximum else {
        throw WebError.invalid("a request has at most \(maximum) tokens")
      }
      let items = try tokens.map { token in
        let url = try call.url("assets/upload", call.uploads.ticket(for: call.address))
        return JSONValue.object([
          .init("recordName", .string(token.recordName)),
          .init("fieldName", .string(token.fieldName)), .init("url", .string(url)),
        ])
      }
      return .object([.init("tokens", .array(items))])
    }
  }

  /// `assets/rereference`: returns the assets of records as values for fields of other records.
  ///
  /// The reference documentation names the members of the request, but not those of the response:
  /// this server uses the same name, `assets`.
  static func rereferenceAssets(_ body: inout RequestBody) throws -> Answer {
    body.zoneID = try body.zone() ?? .default
    let fields = try body.objects("assets") { asset in
      let zoneID = try asset.zone() ?? asset.zoneID
      _ = try asset.value("recordType", String.self)
      return (
        recordID: RecordID(recordName: try asset.required("recordName"), zoneID: zoneID),
        name: try asset.required("fieldName", String.self)
      )
    }
    return { call in
      let results = try await call.database.records(for: fields.map(\.recordID), desiredKeys: nil)
      let items = fields.flatMap { field -> [JSONValue] in
        do {
          let record = try results[field.recordID]?.get()
          let assets = record?.field(named: field.name)?.value.assets ?? []
          let known = try assets.compactMap { asset in
            try asset.sha256.map { sha256 in
              try ServedAssets.receipt(
                ofSHA256: sha256, size: asset.size ?? 0, for: call.address, call.signer)
            }
          }
          guard !known.isEmpty else {
            throw WebError(.notFound, "the record has no asset in the field")
          }
          return known
        } catch {
          return [RecordResponse.error(error, named: field.recordID.recordName)]
        }
      }
      return .object([.init("assets", .array(items))])
    }
  }
}

extension WebServicesHandler {
  /// Takes the content of an asset, at an address that `assets/upload` returned.
  func upload(_ request: WebRequest, _ token: String) throws -> WebResponse {
    guard request.method == "POST" || request.method == "PUT" else {
      throw WebError(.badRequest, "the method of an upload is POST")
    }
    let content = try FormData(request)?.content ?? request.body
    let receipt = try uploads.take(content, at: token, signer)
    return WebResponse(json: .object([.init("singleFile", receipt)]))
  }

  /// Returns the content of an asset, at the address of its `downloadURL`, or a range of it: Safari
  /// plays a video only from a server that knows ranges.
  func download(_ request: WebRequest, _ token: String) async throws -> WebResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      throw WebError(.badRequest, "the method of a download is GET or HEAD")
    }
    guard case .download(from: let address, sha256: let sha256)? = signer.ticket(of: token),
      let served = try? container(at: address)
    else { throw WebError(.notFound, "the address leads to no asset") }
    // Whoever has the link may read the file, as on the server.
    let data = try await served.container.database(with: .public).data(for: Asset(sha256: sha256))
    var response = WebResponse(
      status: 200,
      headers: [
        "Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
        "Content-Disposition": "attachment", "Accept-Ranges": "bytes",
      ], body: data)
    guard let range = request.range(of: data.count) else { return response }
    response.status = range.isEmpty ? 416 : 206
    let bytes = range.isEmpty ? "*" : "\(range.lowerBound)-\(range.upperBound - 1)"
    response.headers["Content-Range"] = "bytes \(bytes)/\(data.count)"
    response.body = data[range]
    return response
  }
}

extension WebRequest {
  /// Returns the range of bytes that the request asks for (RFC 9110); an empty one if the content has
  /// no byte of it, nil for the whole content.
  fileprivate func range(of count: Int) -> Range<Int>? {
    // The server sends nothing that `If-Range` could name. Several ranges may be ignored.
    guard method == "GET", headers["If-Range"] == nil,
      let match = headers["Range"]?.wholeMatch(of: #/bytes=([0-9]{0,18})-([0-9]{0,18})/#)
    else { return nil }
    switch (Int(match.1), Int(match.2)) {
    case (nil, nil): return nil
    case (nil, let last?): return max(count - last, 0)..<count
    case (let first?, nil): return min(first, count)..<count
    case (let first?, let last?):
      guard first <= last else { return nil }
      return min(first, count)..<min(last + 1, count)
    }
  }
}
