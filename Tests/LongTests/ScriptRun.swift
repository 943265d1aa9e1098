import CloudWebServer
import CloudWebServices
import Foundation
import TestSupport

/// Runs a Python script of this folder against a server, with the address as its first argument.
func runScript(
  _ name: String, against handler: WebServicesHandler, _ arguments: [String] = []
) async throws -> Command {
  let server = try WebServer(handler, port: 0)
  let task = server.start()
  let result = try await runScript(name, [server.address] + arguments)
  task.cancel()
  try await task.value
  return result
}

/// Runs a Python script of this folder with arguments.
func runScript(_ name: String, _ arguments: [String]) async throws -> Command {
  let script = Place.inPackage("Tests/LongTests/\(name)")
  return try await Command(["python3", "-B", script] + arguments)
}
