import Foundation
import Testing

@testable import RecordCoding

/// An outside reader of property lists: `python3` with its `plistlib`.
let hasPython = Command.exists("python3")

/// The two real blobs that lie beside the repository, and archives made by hand.
enum KeyedArchiveSamples {
  static let account = "system-fields-notes-account.bplist"
  static let share = "system-fields-notes-share.bplist"
  static let all = [account, share]

  private static let folder = Place.corpus("keyed-archives")

  /// Whether the samples are on this machine; tests that need them say so where they are not.
  static let arePresent = folder != nil

  static func data(_ name: String) throws -> Data {
    try Data(contentsOf: #require(folder).appending(path: name))
  }

  /// `bplist00` bytes out of objects and offsets that need not make sense.
  static func plist(
    _ objects: [[UInt8]], offsets: [Int]? = nil, offsetSize: UInt8 = 1, refSize: UInt8 = 1,
    count: UInt64? = nil, top: UInt64 = 0, table: UInt64? = nil
  ) -> Data {
    var bytes = Array("bplist00".utf8)
    var starts: [Int] = []
    for object in objects {
      starts.append(bytes.count)
      bytes += object
    }
    let tableOffset = bytes.count
    for offset in offsets ?? starts {
      bytes += bigEndian(UInt64(offset)).suffix(Int(offsetSize))
    }
    bytes += [0, 0, 0, 0, 0, 0, offsetSize, refSize]
    bytes += bigEndian(count ?? UInt64((offsets ?? starts).count))
    bytes += bigEndian(top)
    bytes += bigEndian(table ?? UInt64(tableOffset))
    return Data(bytes)
  }

  /// An archive of one object under `root`, made of a table of objects after `$null`.
  static func archive(
    objects: [BinaryPlist.Object], table: [BinaryPlist.Ref], root: UInt64
  ) -> BinaryPlist {
    var all: [BinaryPlist.Object] = [
      .dictionary([
        .init(key: 1, value: 5), .init(key: 2, value: 6), .init(key: 3, value: 7),
        .init(key: 4, value: 8),
      ]),
      .string("$version"), .string("$objects"), .string("$archiver"), .string("$top"),
      .integer(100_000), .array([9] + table), .string("NSKeyedArchiver"),
      .dictionary([.init(key: 10, value: 11)]), .string("$null"), .string("root"), .uid(root),
    ]
    all += objects
    return BinaryPlist(objects: all, top: 0)
  }

  static func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - $0 * 8)) }
  }
}

extension KeyedArchiveNode {
  /// The keys of an object without `$class`, in the order of the archive.
  var keys: [String] {
    guard case .dictionary(let entries) = object else { return [] }
    return entries.compactMap { entry in
      guard case .string(let key) = archive.plist.objects[Int(entry.key)] else { return nil }
      return key == "$class" ? nil : key
    }
  }
}

extension KeyedArchiveContent {
  /// Returns an `NSArray`.
  static func array(_ elements: [KeyedArchiveContent]) -> KeyedArchiveContent {
    .object(class: ["NSArray", "NSObject"], members: [("NS.objects", .list(elements))])
  }
}
