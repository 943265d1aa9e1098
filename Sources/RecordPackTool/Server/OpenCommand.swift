import ArgumentParser
import CloudWebServer
import CloudWebServices
import Foundation
import MockCloud
import RecordArchive
import RecordStore
import RecordText

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Look at a bundle or container in a browser.",
    discussion: """
      Serves a page with the databases, zones, records, changes, shares and the
      schema of a SOURCE. Nothing can be changed. Only this machine reaches the page,
      and every user of it, as long as the command runs; it ends with Ctrl-C. Values
      of encrypted fields are covered until somebody asks for them on the page.

      On a terminal, the page is opened in the browser unless --no-browser is given.
      A bundle is first read into a temporary container. serve has the same page for
      a container that clients can send requests to.

      EXAMPLES
        recordpack open Tact.recordpack
        recordpack open Tact.sqlite --port 8000 --no-browser
      """)

  @Argument(help: "A bundle or container.", completion: .file())
  var source: String

  @Option(help: ArgumentHelp("The port; 0 for a free one.", valueName: "port"))
  var port: UInt16 = 0

  @Flag(help: "Print the address only.")
  var noBrowser = false

  @OptionGroup var report: ReportOptions

  init() {}

  func run() throws {
    let opened = try OpenedSource(source)
    defer { opened.close() }
    var served = try WebContainer(opened.container)
    served.fileName = ServedSource.fileName(source)
    let handler = WebServicesHandler([served], page: .alone)
    let server = try WebServer(handler, port: port)
    try Interruption.whileSorting {
      try ServerRun(server).untilSignal {
        try ServerRun.tell("Showing '\(source.visible)' at", server, "open", report)
        if !noBrowser, isatty(STDOUT_FILENO) != 0 { Self.openBrowser(server.address) }
      }
    }
    handler.background.end()
  }

  /// Opens a page in the browser of the system, where there is one.
  private static func openBrowser(_ address: String) {
    #if os(macOS) || os(Linux)
      #if os(macOS)
        let program = "/usr/bin/open"
      #else
        let program = "/usr/bin/xdg-open"
      #endif
      guard FileManager.default.isExecutableFile(atPath: program) else { return }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = [address]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try? process.run()
    #endif
  }
}

/// A source that is looked at: a container in place, or a bundle in a temporary container.
private struct OpenedSource {
  let container: MockContainer
  private let folder: TemporaryFolder?

  init(_ path: String) throws {
    if ArchiveSource.isContainer(path) {
      folder = nil
      container = try MockContainer.open(path: path, mode: .readOnly)
      return
    }
    let source = try Inputs.source(path)
    let folder = try TemporaryFolder()
    let store = try folder.whileWriting {
      let store = try ContainerStore.open(path: folder.file("opened.sqlite"), mode: .create)
      let bar = ProgressBar("reading", isQuiet: false)
      var archiver = Archiver()
      archiver.progress = { try bar.update($0) }
      try archiver.run(from: [source], into: .container(store))
      ProgressBar.clearLine()
      return store
    }
    self.folder = folder
    container = try MockContainer(store)
  }

  func close() { _ = try? container.store.close() }
}
