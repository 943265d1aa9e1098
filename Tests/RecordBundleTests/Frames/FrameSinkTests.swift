import Foundation
import RecordModel
import RecordPlatform
import Testing

@testable import RecordBundle

@Suite("Where frames are written to")
struct FrameSinkTests {
  private let directory: TestFolder
  init() throws { directory = try TestFolder() }

  private func write(_ text: String, to sink: any FrameSink) throws {
    try Array(text.utf8).withUnsafeBytes { try sink.write($0) }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: directory.path(name), encoding: .utf8)
  }

  @Test("A file appears when it is whole, and only its owner may read it")
  func appears() throws {
    let sink = try FrameOutput.open(path: directory.path("new"))
    try write("one ", to: sink)
    try write("two", to: sink)
    let during = directory.names
    #expect(during.count == 1)
    #expect(during.first?.hasPrefix(".new.") == true)
    #expect(during.first?.hasSuffix(".partial") == true)
    try sink.commit()
    #expect(directory.names == ["new"])
    #expect(try text("new") == "one two")
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("new"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(frameError { try sink.commit() }?.code == .misuse)
    #expect(frameError { try write("x", to: sink) }?.code == .misuse)
    sink.discard()
    #expect(try text("new") == "one two")
  }

  @Test("Until the commit an older file stays, and keeps its permissions afterwards")
  func replaces() throws {
    try directory.write(Array("old".utf8), as: "kept")
    chmod(directory.path("kept"), 0o640)
    do {
      let sink = try AtomicFile(path: directory.path("kept"))
      try write("half of the n", to: sink)
    }
    #expect(directory.names == ["kept"])
    #expect(try text("kept") == "old")
    let discarded = try AtomicFile(path: directory.path("kept"))
    discarded.discard()
    #expect(directory.names == ["kept"])
    let sink = try AtomicFile(path: directory.path("kept"))
    try write("new", to: sink)
    #expect(try text("kept") == "old")
    try sink.commit()
    #expect(try text("kept") == "new")
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("kept"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test("A name that must be free is refused at once, and also when it is taken in the meantime")
  func keepsExisting() throws {
    let path = directory.path("name")
    let sink = try AtomicFile(path: path, overwrite: false)
    try write("ours", to: sink)
    try directory.write(Array("theirs".utf8), as: "name")
    #expect(frameError { try sink.commit() }?.code == .fileExists)
    #expect(frameError { _ = try AtomicFile(path: path, overwrite: false) }?.code == .fileExists)
    #expect(directory.names == ["name"])
    #expect(try text("name") == "theirs")
    unlink(path)
    let free = try AtomicFile(path: path, overwrite: false)
    try write("ours", to: free)
    try free.commit()
    #expect(try text("name") == "ours")
  }

  @Test("What a killed writer left behind goes with the next file of that name")
  func leftovers() throws {
    try directory.write(Array("private".utf8), as: ".name.00c0ffee00c0ffee.partial")
    let other = try AtomicFile(path: directory.path("name"))
    let sink = try AtomicFile(path: directory.path("name"), overwrite: false)
    #expect(directory.names.count == 2)
    other.discard()
    try sink.commit()
    #expect(directory.names == ["name"])
  }

  @Test("What a killed split export left behind goes with the next export, split or not")
  func leftShards() throws {
    let others = [".b-00003.recordpack.00c0ffee00c0ffee.partial", "b-00003.recordpack"]
    for splitSize in [nil, 1 << 20] {
      let left = [".a-00001.recordpack", ".a-00003.recordpack", ".a-00017.recordpack"]
      for name in left.map({ $0 + ".00c0ffee00c0ffee.partial" }) + others {
        try directory.write(Array("private".utf8), as: name)
      }
      var options = BundleWriter.Options()
      options.splitSize = splitSize
      let writer = try BundleWriter(
        path: directory.path("a.recordpack"), container: ContainerInfo(), options: options,
        overwrite: true)
      _ = try writer.finish()
      let kept = directory.names.filter { $0.contains("b-") || $0.contains("partial") }
      #expect(kept.sorted() == others.sorted())
    }
  }

  @Test("A link to a file is followed, not replaced")
  func symbolicLink() throws {
    try directory.write([1], as: "target")
    symlink("target", directory.path("link"))
    let sink = try AtomicFile(path: directory.path("link"))
    try write("through", to: sink)
    try sink.commit()
    #expect(try text("target") == "through")
    #expect(directory.names == ["link", "target"])
  }

  @Test("Impossible destinations are refused")
  func impossible() throws {
    for path in [directory.path, directory.path + "/", directory.path("new/")] {
      #expect(frameError { _ = try AtomicFile(path: path) }?.code == .notAFile)
    }
    #expect(frameError { _ = try AtomicFile(path: "/dev/null") }?.code == .notAFile)
    let missing = frameError { _ = try AtomicFile(path: directory.path("no/such/file")) }
    #expect(missing?.errorNumber == ENOENT)
    #expect(frameError { _ = try AtomicFile(path: "") }?.code == .misuse)
  }

  @Test("A file that is synced while it is written is whole when committed, and gone when not")
  func largeFile() throws {
    let piece = [UInt8](repeating: 7, count: PeriodicSync.step / 2)
    for commits in [true, false] {
      let sink = try AtomicFile(path: directory.path("large"))
      for _ in 0..<6 {
        try piece.withUnsafeBytes { try sink.write($0) }
        // Longer than a sync waits for the file to grow.
        Thread.sleep(forTimeInterval: 0.06)
      }
      if commits { try sink.prepareToCommit() }
      if commits { try sink.commit() } else { sink.discard() }
      #expect(directory.names == ["large"])
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("large"))
      #expect(attributes[.size] as? Int == 6 * piece.count)
    }
    // One that is neither committed nor discarded ends with its object.
    do {
      let sink = try AtomicFile(path: directory.path("large"))
      for _ in 0..<4 { try piece.withUnsafeBytes { try sink.write($0) } }
    }
    #expect(directory.names == ["large"])
  }

  @Test("The longest file name works")
  func longName() throws {
    let name = String(repeating: "é", count: 127)
    let sink = try AtomicFile(path: directory.path(name))
    try sink.commit()
    #expect(directory.names == [name])
  }

  @Test("A full device is reported as that", .enabled(if: access("/dev/full", W_OK) == 0))
  func fullDevice() throws {
    for threads in [1, 2] {
      let sink = try FrameOutput.open(path: "/dev/full")
      let writer = try FrameWriter(sink: sink, options: .small(threads: threads))
      let error = frameError {
        for line in Sample.lines(500) { try writer.append(line) }
        _ = try writer.finish()
      }
      #expect(error?.errorNumber == ENOSPC)
      #expect(error?.byteOffset == 0)
      #expect(error?.source == "/dev/full")
    }
  }

  @Test("A pipe that no one reads any more is reported, one that is read slowly is waited for")
  func pipes() throws {
    signal(SIGPIPE, SIG_IGN)
    let broken = Pipe()
    try broken.fileHandleForReading.close()
    let sink = DescriptorSink(
      descriptor: broken.fileHandleForWriting.fileDescriptor, name: "standard output")
    #expect(frameError { try write("x", to: sink) }?.errorNumber == EPIPE)

    let slow = Pipe()
    let descriptor = slow.fileHandleForWriting.fileDescriptor
    // Writing to a nonblocking descriptor has to wait.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let text = String(repeating: "0123456789", count: 50_000)
    let reading = slow.fileHandleForReading
    let received = DispatchQueue(label: "reader")
    nonisolated(unsafe) var got = Data()
    let done = DispatchSemaphore(value: 0)
    received.async {
      Thread.sleep(forTimeInterval: 0.05)
      got = reading.readDataToEndOfFile()
      done.signal()
    }
    try write(text, to: DescriptorSink(descriptor: descriptor, name: "standard output"))
    try slow.fileHandleForWriting.close()
    done.wait()
    #expect(got == Data(text.utf8))
  }

  @Test("A failed file leaves nothing behind and the old one in place")
  func failedFile() throws {
    try directory.write(Array("old".utf8), as: "kept")
    do {
      let sink = try AtomicFile(path: directory.path("kept"))
      var options = FrameWriter.Options.small(threads: 2)
      options.limits.maxFrames = 2
      let writer = try FrameWriter(sink: sink, options: options)
      let error = frameError { for line in Sample.lines(500) { try writer.append(line) } }
      #expect(error?.code == .limitExceeded)
      sink.discard()
    }
    #expect(directory.names == ["kept"])
    #expect(try text("kept") == "old")
  }
}
