import Foundation
import MockCloud
import RecordModel

extension WebServicesHandler {
  /// Takes the content of an asset, at an address that `assets/upload` returned.
  func upload(_ request: WebRequest, _ token: String) async throws -> WebResponse {
    guard request.method == "POST" || request.method == "PUT" else {
      throw WebError(.badRequest, "the method of an upload is POST")
    }
    let receipt = try uploads.take(request.body, at: token, signer)
    return WebResponse(json: .object([.init("singleFile", receipt)]))
  }

  /// Returns the content of an asset, at the address of its `downloadURL`.
  func download(_ request: WebRequest, _ token: String) async throws -> WebResponse {
    guard request.method == "GET" else {
      throw WebError(.badRequest, "the method of a download is GET")
    }
    guard let link = DownloadLink(token, signer), let served = try? container(at: link.place) else {
      throw WebError(.notFound, "the address leads to no asset")
    }
    // Who has the link may read the file, as on the server.
    let database = served.container.database(with: .public)
    let data = try await database.data(for: Asset(sha256: link.sha256))
    return WebResponse(
      status: 200,
      headers: [
        "Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
        "Content-Disposition": "attachment",
      ], body: data)
  }
}
