import CloudWebServer
import CloudWebServices
import FlyingFox
import Foundation
import MockCloud
import RecordModel

/// Serves records for `compare --serve`, or asks the handler for them in this process.
///
///     ServeBench serve RECORDS
///     ServeBench handler RECORDS SECONDS TASKS
@main struct ServeBench {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().map(\.self)
    guard arguments.count >= 2, let records = Int(arguments[1]) else {
      throw POSIXError(.EINVAL)
    }
    let container = try await ServedNotes.container(records: records)
    if arguments[0] == "handler", arguments.count == 4, let seconds = Double(arguments[2]),
      let tasks = Int(arguments[3])
    {
      try await HandlerRun(container).print(seconds: seconds, tasks: tasks)
    } else {
      try await serve(container)
    }
  }

  /// Serves the container, and beside it a route of FlyingFox for each lane with the same answer,
  /// until the process is killed.
  private static func serve(_ container: MockContainer) async throws {
    let served = try await ServedContainer(container)
    let bare = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    let handler = WebServicesHandler([try WebContainer(container)])
    for lane in ServedNotes.lanes {
      let body = await handler.respond(to: lane.request).body
      await bare.appendRoute(HTTPRoute("POST /\(lane.name)")) { request in
        _ = try await request.bodyData
        return HTTPResponse(
          statusCode: .ok, headers: [.contentType: "application/json"], body: body)
      }
    }
    let running = Task { try await bare.run() }
    try await bare.waitUntilListening()
    guard case .ip4(_, let port)? = await bare.listeningAddress else { throw POSIXError(.EIO) }
    let lanes = ServedNotes.lanes.map { lane in
      [
        "name": lane.name, "url": served.address + lane.target,
        "bare": "http://127.0.0.1:\(port)/\(lane.name)", "body": lane.body,
      ]
    }
    let text = try JSONSerialization.data(withJSONObject: lanes, options: .withoutEscapingSlashes)
    print(String(decoding: text, as: UTF8.self))
    fflush(nil)
    try await running.value
  }
}
