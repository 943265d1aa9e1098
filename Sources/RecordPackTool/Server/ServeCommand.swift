import ArgumentParser
import CloudWebServer
import CloudWebServices
import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordModel
import RecordStore
import RecordText

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve containers over HTTP, as CloudKit Web Services.",
    discussion: """
      A container is served in place: requests change the file. A bundle is served as
      a container that is thrown away at the end, or written with --output. Without a
      SOURCE, an empty container is served. With several, the identifier and
      environment in the address choose; a container without them matches any.

      Every ckAPIToken is valid, and a ckWebAuthToken is the record name of a user,
      __defaultOwner__ for the signed-in one, unless tokens are given. --user adds
      another user, with whom records can be shared. Only this machine reaches the
      server unless --host says otherwise. It ends with Ctrl-C.

      In a browser, the address is a console. It shows records, requests, changes,
      shares and notifications as they come. It edits records, zones and shares, as
      any user. With --admin, it also sets up faults. Values of encrypted fields are
      covered until you ask for them.

      ADMIN
        With --admin, tests can set the server up:

        curl -X POST   $ADDRESS/admin/reset     restores the first contents;
        curl           $ADDRESS/admin/load --data-binary @other.recordpack
        curl -X POST   $ADDRESS/admin/snapshot -o now.recordpack
        curl           $ADDRESS/admin/clock -d '{"advance":3600}'
        curl           $ADDRESS/admin/faults    shows faults and waiting requests;
        curl           $ADDRESS/admin/faults \\
          -d '{"endpoint":"records/modify","error":"THROTTLED","times":1}'
        curl -X DELETE $ADDRESS/admin/faults
        curl -X POST   $ADDRESS/admin/release   continues waiting requests;
        curl           $ADDRESS/admin/users -d '{"userRecordName":"_kenji"}'
        curl           $ADDRESS/admin/log       shows the requests;
        curl -X DELETE $ADDRESS/admin/log

      A bundle that is loaded, of at most 256 MiB, replaces all contents, and is what
      they are reset to from then on. A container served in place cannot be loaded;
      it is reset to what it was when serving began, up to 512 MiB.

      A fault chooses requests by endpoint, zone, record, recordType, user, times,
      probability and seed. It has an error (with retryAfter), latency in seconds,
      cut, hold, or a response with status and body, such as a recorded one. An error
      can be one of single items ("items":true), of requests with more items than a
      limit ("over":10), or of requests with a sync token ("token":true). Errors,
      cuts and responses come before the change is made, or with "moment":"after"
      after it. To each request, the first fault that matches applies.

      EXAMPLES
        recordpack serve Tact.sqlite --port 0
        recordpack serve Tact.recordpack --port 0 --output Changed.recordpack
        recordpack serve --port 0 --ready-file ready --request-log requests.jsonl
        recordpack serve --user _anna --user _kenji=kenji@example.com
        recordpack serve Tact.recordpack -- ./test.sh
      """)

  @Argument(help: "Containers or bundles.", completion: .file())
  var sources: [String] = []

  /// The words after `--`. The parser does not take a second list of arguments after SOURCE, so
  /// ``naming(_:)`` makes an option of the terminator.
  @Option(name: .customLong("run-command"), parsing: .remaining, help: .hidden)
  var command: [String] = []

  @Option(
    help: ArgumentHelp(
      "The port, up to 65535; 0 for a free one. (default: 8080; 0 with a COMMAND)",
      valueName: "port"))
  var port: UInt16?

  @Option(
    help: ArgumentHelp(
      "The IP address to listen on; 'localhost' for those of this machine alone.",
      valueName: "address"))
  var host = "localhost"

  @Option(
    help: ArgumentHelp(
      "A name under which clients reach the server, or of pages that may send requests.",
      valueName: "name"))
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "The scheme of other pages that may send requests, such as 'capacitor' or "
        + "'chrome-extension'.", valueName: "scheme"))
  var allowScheme: [String] = []

  @Option(
    help: ArgumentHelp(
      "Write the address to this file when the server is ready. An address there is replaced.",
      valueName: "file"),
    completion: .file())
  var readyFile: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The bundle to write the container to at the end.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "Append a line of JSON for each request to this file, a new one or a request log.",
      valueName: "file"),
    completion: .file())
  var requestLog: String?

  @Flag(help: "Accept the requests under ADMIN, from whoever reaches the server.")
  var admin = false

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Show a page at the address, to look at what is there. It asks for no token. (default: if only "
        + "this machine reaches the server)"))
  var page: Bool?

  @OptionGroup(title: "ACCESS") var access: AccessOptions
  @OptionGroup var report: ReportOptions

  private var hasPage: Bool {
    page ?? (host == "localhost" || host == "::1" || host.hasPrefix("127."))
  }

  init() {}

  /// Returns the arguments of the tool with an option in place of `--` before the COMMAND of `serve`.
  static func naming(_ arguments: [String]) -> [String] {
    guard arguments.first == "serve", let place = arguments.firstIndex(of: "--") else {
      return arguments
    }
    return arguments[..<place] + ["--run-command"] + arguments[(place + 1)...]
  }

  func validate() throws {
    if output != nil, sources.count > 1 {
      throw ValidationError("--output requires one SOURCE, not \(sources.count)")
    }
    if force, output == nil { throw ValidationError("--force requires --output") }
    try refuse(
      [("--json", report.isJSON)], when: !command.isEmpty,
      "with a COMMAND, which has the output for itself")
    // Source: RFC 3986, section 3.1.
    for scheme in allowScheme
    where scheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) == nil
      || ["http", "https"].contains(scheme.lowercased())
    {
      throw ValidationError(
        "--allow-scheme requires the scheme of an app or extension, such as 'capacitor', not "
          + "'\(scheme.visible)'; --allow-host is for pages of http and https")
    }
  }

  func run() throws {
    try checkFiles()
    let webAccess = try access.access()
    let clock = WebClock()
    let paths = sources.isEmpty ? [nil] : sources.map(Optional.some)
    let containers = try paths.map { try ServedSource($0) { clock.now } }
    defer { for container in containers { _ = container.close() } }
    try ServedSource.refuseDoubles(containers)
    for container in containers { try access.addUsers(to: container.container) }
    let handler = WebServicesHandler(
      try containers.map { try $0.served(webAccess, canReset: admin) },
      origins: WebOrigins(
        hosts: Set(allowHost.map { $0.lowercased() } + [host.contains(":") ? "[\(host)]" : host]),
        schemes: Set(allowScheme.map { $0.lowercased() })),
      admin: admin ? WebAdmin(clock: clock) : nil,
      page: hasPage ? .withServices : .none)
    if let requestLog {
      let file = try RequestLogFile(path: requestLog)
      handler.log.onAdding { file.write($0) }
    }
    let server = try WebServer(handler, host: host, port: port ?? (command.isEmpty ? 8080 : 0))
    var exitCode: Int32 = 0
    try Interruption.whileSorting {
      if command.isEmpty {
        try ServerRun(server).until({
          for container in containers { container.watch() }
          return Interruption.signal != nil
        }) {
          try writeReadyFile(server)
          try ServerRun.tell("Serving at", server, "serve", report)
        }
      } else {
        exitCode = try runCommand(server, containers)
      }
      // A reset has put another container in the place of the first.
      if let output, let last = handler.containers.first?.container {
        try ServedSource.write(last, to: output, overwrite: force)
      }
    }
    handler.background.end()
    let areSaved = containers.map { $0.close() }
    if !areSaved.allSatisfy({ $0 }) { throw ExitCode.failed }
    if exitCode != 0 { throw ExitCode(exitCode) }
  }

  /// Serves until the command ends, and returns its exit code.
  private func runCommand(
    _ server: WebServer, _ containers: [ServedSource]
  ) throws -> Int32 {
    #if os(macOS) || os(Linux)
      var running: ServedCommand?
      try ServerRun(server).until({
        for container in containers { container.watch() }
        return running?.hasEnded() ?? false
      }) {
        try writeReadyFile(server)
        running = try ServedCommand(command, address: server.address)
      }
      return running?.exitCode ?? 0
    #else
      throw CommandError("this system runs no programs")
    #endif
  }

  /// Writes the address, for programs that wait for the server.
  private func writeReadyFile(_ server: WebServer) throws {
    if let readyFile { try ReadyFile.write(server.address, to: readyFile) }
  }

  /// Throws if a file to write is an input or has other contents, or if the bundle cannot be written: at
  /// the end, all changes would be lost.
  private func checkFiles() throws {
    guard output != "-" else { throw CommandError("--output requires a file") }
    try readyFile.map(ReadyFile.check)
    try requestLog.map(RequestLogFile.check)
    try Inputs.refuseOverwriting(
      sources + access.serverKey.map(\.value),
      by: [output, readyFile, requestLog].compactMap { $0.map { .init(path: $0) } })
    if let output {
      try BundleWriter(path: output, container: ContainerInfo(), overwrite: force).cancel()
    }
  }
}
