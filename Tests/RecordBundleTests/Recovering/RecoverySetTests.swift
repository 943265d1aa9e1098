import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Recovery of split bundles")
struct RecoverySetTests {
  private var options: BundleWriter.Options {
    .test(frameSize: 600, threads: 1)
  }

  /// Writes two sets of one container, the second with other records, and returns their paths.
  private func sets(in folder: String) throws -> (first: [String], second: [String]) {
    let paths = try ["\(folder)/1", "\(folder)/2"].map { folder in
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let records = folder.hasSuffix("2") ? 90 : 80
      return try SampleContent(records: records, assetSize: 300).writeSet(of: 6, to: folder)
    }
    return (paths[0], paths[1])
  }

  private func replace(_ path: String, by other: String) throws {
    try write(try bytes(of: other), to: path)
  }

  private func recover(_ paths: [String], in folder: String) throws -> RecoveryReport {
    try BundleRecovery.recover(paths, to: "\(folder)/r.recordpack", options: options)
  }

  @Test("Files of two sets of one container are refused if named, and left out if found beside")
  func mixed() throws {
    try withFolder { folder in
      let (first, second) = try sets(in: folder)
      for place in 3..<6 { try replace(first[place], by: second[place]) }
      let error = #expect(throws: BundleError.self) { try recover(first, in: folder) }
      #expect(error?.code == .shards && error?.source == first[3])
      #expect(error?.message.contains("belong to two bundles") == true)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/r.recordpack"))

      let report = try recover([first[1]], in: folder)
      #expect(report.sources == Array(first[..<3]) && !report.isComplete)
      #expect(report.saved[.record] == 40 && report.notes.count == 3)
      #expect(report.losses.contains { $0.contains("file 4 of the split bundle") })
      #expect(try recover([first[4]], in: folder).sources == Array(first[3...]))
    }
  }

  @Test("A file that an older set has left beside is left out, and nothing is lost")
  func leftover() throws {
    try withFolder { folder in
      let (_, second) = try sets(in: folder)
      let paths = try SampleContent(records: 20, assetSize: 300).writeSet(of: 2, to: folder)
      for (place, lostHeader) in [(3, false), (2, false), (2, true)] {
        let stale = "\(folder)/set-0000\(place + 1).recordpack"
        var content = try bytes(of: second[place])
        if lostHeader { content[20] ^= 0xFF }
        try write(content, to: stale)
        let report = try recover([paths[0]], in: folder)
        #expect(report.isComplete && report.sources == paths && report.saved[.record] == 20)
        #expect(report.notes.count == 1 && report.notes.first?.contains(stale) == true)
        let error = #expect(throws: BundleError.self) {
          try recover(paths + [stale], in: folder)
        }
        #expect(error?.code == .shards)
        try FileManager.default.removeItem(atPath: stale)
      }
    }
  }

  @Test("A file that is empty is lost with its lines; the others are saved")
  func empty() throws {
    try withFolder { folder in
      let (first, _) = try sets(in: folder)
      try write([], to: first[4])
      for paths in [[first[0]], [first[4]], first] {
        let report = try recover(paths, in: folder)
        #expect(!report.isComplete && report.saved[.record] == 80 - 13, "\(report)")
        #expect(report.losses.count == 1)
        #expect(report.losses.first?.contains("file 5 of the split bundle: all its lines") == true)
      }
      let error = #expect(throws: BundleError.self) {
        try recover(["\(folder)/r.recordpack", "\(folder)/none.recordpack"], in: folder)
      }
      #expect(error?.errorNumber == ENOENT)
      let alone = "\(folder)/alone-00001.recordpack"
      try write([], to: alone)
      let emptyError = #expect(throws: BundleError.self) { try recover([alone], in: folder) }
      #expect(emptyError?.code == .emptyFile)
    }
  }

  @Test("What lies beside under a name of the set and is no file is passed over")
  func noFile() throws {
    try withFolder { folder in
      let (first, _) = try sets(in: folder)
      try FileManager.default.removeItem(atPath: first[3])
      #expect(mkfifo(first[3], 0o600) == 0)
      let report = try recover([first[0]], in: folder)
      #expect(report.losses == ["file 4 of the split bundle was not given: all its lines"])
    }
  }

  @Test("Missing files that follow each other are told as one range")
  func range() throws {
    try withFolder { folder in
      let (first, _) = try sets(in: folder)
      let report = try recover([first[0], first[4], first[5]], in: folder)
      #expect(
        report.losses == ["files 2 to 4 of the split bundle were not given: all their lines"])
    }
  }

  @Test(
    "A number that no file of a set can have tells nothing, in a name or in a header",
    arguments: [501, 20_241_121, Int.max])
  func hugeNumber(_ number: Int) throws {
    try withFolder { folder in
      let path = ShardNames.path(of: number, for: "\(folder)/a.recordpack")
      let header = BundleHeader(shard: BundleHeader.Shard(number: number))
      for lostHeader in [false, true] {
        let sink = try AtomicFile(path: path)
        var frames = FrameWriter.Options()
        frames.threads = 1
        let file = try BundleFileWriter(sink: sink, header: header, options: frames)
        try file.write(.zone(RecordZone(zoneID: .default), .private))
        _ = try file.finish(isLastShard: false)
        try sink.commit()
        if lostHeader {
          var content = try bytes(of: path)
          content[20] ^= 0xFF
          try write(content, to: path)
        }
        let report = try recover([path], in: folder)
        #expect(report.losses.isEmpty && report.unknowns.count == 1, "\(report)")
        #expect(report.unknowns.first?.contains("in the split bundle is unknown") == true)
        #expect(report.saved[.zone] == 1)
      }
    }
  }
}
