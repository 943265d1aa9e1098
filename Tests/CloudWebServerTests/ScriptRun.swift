import CloudWebServer
import CloudWebServices
import Foundation
import TestSupport

/// Runs a Python script of this folder against a server, with the address as its argument.
func runScript(_ name: String, against handler: WebServicesHandler) async throws -> Command {
  let server = try WebServer(handler, port: 0)
  let task = server.start()
  let script = Place.inPackage("Tests/CloudWebServerTests/\(name)")
  let address = server.address
  // A script takes long: it would hold up a thread that tasks need.
  let result = try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try Command("python3", "-B", script, address) })
    }
  }
  task.cancel()
  try await task.value
  return result
}
