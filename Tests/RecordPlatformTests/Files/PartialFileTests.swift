import Foundation
import RecordPlatform
import TestSupport
import Testing

@Suite("Files that get their name when they are whole")
final class PartialFileTests {
  private let folder: TestFolder
  private var directory: String { folder.path }
  private var path: String { folder.path("file") }
  private var names: [String] { folder.names }

  init() throws { folder = try TestFolder() }

  private func create(_ name: String, _ text: String = "") {
    _ = FileManager.default.createFile(atPath: "\(directory)/\(name)", contents: Data(text.utf8))
  }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func write(_ text: String, to file: PartialFile) {
    let failure = Array(text.utf8).withUnsafeBytes {
      SystemCall.writeAll($0, to: file.descriptor)
    }
    #expect(failure == 0)
  }

  @Test("What a killed writer left behind is removed by the next writer of that name")
  func leftovers() throws {
    create(".file.0123456789abcdef.partial", "half")
    create(".file.0123456789abcdef.partial-wal", "log")
    create(".file.fedcba9876543210.partial-journal", "of a file that is gone")
    let file = try PartialFile(for: path)
    #expect(names.count == 2)
    #expect(!names.contains { $0.contains("0123456789abcdef") })
    file.discard()
    #expect(names == [".file.fedcba9876543210.partial-journal"])
  }

  @Test("A file that is still being written is left alone")
  func living() throws {
    let first = try PartialFile(for: path)
    write("first", to: first)
    let second = try PartialFile(for: path)
    write("second", to: second)
    #expect(names.count == 2)
    try second.publish(replacing: true)
    try first.publish(replacing: true)
    #expect(try text() == "first")
    #expect(names == ["file"])
  }

  @Test("Only names that a writer gives are taken for leftovers")
  func otherNames() throws {
    let others = [
      ".file.0123456789abcdef.partial.keep", ".file.0123456789ABCDEF.partial",
      ".file.01234567.partial", ".other.0123456789abcdef.partial", ".file.partial",
      "file.0123456789abcdef.partial", ".file.x.0123456789abcdef.partial",
    ]
    others.forEach { create($0) }
    mkfifo(directory + "/.file.0000000000000000.partial", 0o600)
    symlink("nowhere", directory + "/.file.1111111111111111.partial")
    let file = try PartialFile(for: path)
    try file.publish(replacing: false)
    #expect(
      Set(names)
        == Set(
          others + ["file", ".file.0000000000000000.partial", ".file.1111111111111111.partial"]))
  }

  @Test("A name that is taken is kept, whatever has it", arguments: ["file", "link", "folder"])
  func taken(by kind: String) throws {
    let file = try PartialFile(for: path)
    write("ours", to: file)
    switch kind {
    case "file": create("file", "theirs")
    case "link": symlink("nowhere", path)
    default: mkdir(path, 0o700)
    }
    let error = #expect(throws: SystemError.self) { try file.publish(replacing: false) }
    #expect(error?.number == EEXIST)
    #expect(names == ["file"])
    if kind == "file" { #expect(try text() == "theirs") }
  }

  @Test("Of several writers that want a free name one gets it, and no one sees it empty")
  func race() async throws {
    for _ in 0..<20 {
      let path = path
      let winners = await withTaskGroup(of: Int.self) { group in
        for number in 0..<8 {
          group.addTask {
            guard let file = try? PartialFile(for: path) else { return 0 }
            _ = withUnsafeBytes(of: number) { SystemCall.writeAll($0, to: file.descriptor) }
            return (try? file.publish(replacing: false)) == nil ? 0 : 1
          }
        }
        group.addTask {
          for _ in 0..<200 {
            if let data = FileManager.default.contents(atPath: path), data.isEmpty { return 100 }
          }
          return 0
        }
        return await group.reduce(0, +)
      }
      #expect(winners == 1)
      #expect(names == ["file"])
      unlink(path)
    }
  }

  @Test("Only the owner can read it, unless the file it replaces says otherwise")
  func permissions() throws {
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    try PartialFile(for: path).publish(replacing: false)
    #expect(try mode() == 0o600)
    chmod(path, 0o640)
    var status = stat()
    #expect(stat(path, &status) == 0)
    try PartialFile(for: path, inheriting: status).publish(replacing: true)
    #expect(try mode() == 0o640)
  }

  @Test("The longest name, a name at the root of the paths and one in the folder one is in")
  func paths() throws {
    let name = String(repeating: "é", count: 127)
    try PartialFile(for: "\(directory)/\(name)").publish(replacing: false)
    #expect(names == [name])
    let error = #expect(throws: SystemError.self) {
      _ = try PartialFile(for: self.directory + "/no/such")
    }
    #expect(error?.number == ENOENT)
    #expect(error?.description.hasPrefix("cannot create a file in its directory: ") == true)
  }
}
