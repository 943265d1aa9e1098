import Foundation

/// The log of a store in WAL mode, which is beside it and has its newest changes.
///
/// SQLite skips a damaged part of a log, and all that follows, without an error. Old data would look right.
enum StoreLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Checks that SQLite reads all frames of a log ([format](https://sqlite.org/walformat.html)).
  ///
  /// Behind its frames, a log may have frames of an earlier log or of a transaction that was rolled back.
  /// Empty bytes may follow, or the beginning of a frame that an app was writing when it ended.
  /// None of these is damage.
  ///
  /// - Parameter path: The path of the store, for errors.
  static func check(_ log: String, of path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: log), options: .mappedIfSafe)
    guard !data.isEmpty else { return }
    try data.withUnsafeBytes { bytes in
      guard let place = damage(in: bytes) else { return }
      throw AppStoreError(
        .damaged, path,
        "its log '\(path)-wal' is damaged at byte \(place), and SQLite would skip the changes from "
          + "there on; copy both files again, or open the store once with the app")
    }
  }

  /// Returns the place of the first frame, or of the header, that SQLite would skip.
  private static func damage(in bytes: UnsafeRawBufferPointer) -> Int? {
    func number(_ place: Int) -> UInt32 {
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
    guard bytes.count >= headerSize, number(0) & ~1 == 0x377F_0682, number(4) == 3_007_000 else {
      return 0
    }
    let pageSize = Int(number(8))
    var sum = Checksum(isBigEndian: number(0) & 1 == 1)
    sum.add(bytes[..<24])
    guard 512...65536 ~= pageSize, pageSize.nonzeroBitCount == 1, sum.isAt(24, in: bytes) else {
      return 0
    }
    let salts = (number(16), number(20))
    var place = headerSize
    // The first frame that SQLite skips.
    var skipped: Int?
    while place + frameHeaderSize + pageSize <= bytes.count {
      let page = place + frameHeaderSize
      let own = (number(place + 8), number(place + 12))
      let isOwn = own == salts
      if skipped == nil {
        sum.add(bytes[place..<place + 8])
        sum.add(bytes[page..<page + pageSize])
        if !isOwn || !sum.isAt(place + 16, in: bytes) { skipped = place }
        // The first salt is greater by one in each log of a file, and the second is random.
        let isOfEarlierLog = 1...1 << 20 ~= salts.0 &- own.0 && own.1 != salts.1
        guard isOwn || isOfEarlierLog || own == (0, 0) else { return place }
      }
      // A transaction that was committed is there as a whole. The end of one that was not may remain.
      let isCommit = number(place + 4) != 0
      if let skipped, isOwn, isCommit { return skipped }
      place = page + pageSize
    }
    return nil
  }

  /// The checksum of a log, which goes on from frame to frame.
  private struct Checksum {
    let isBigEndian: Bool
    private var words: (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds bytes, whose number is a multiple of eight.
    mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) {
      let bytes = UnsafeRawBufferPointer(rebasing: bytes)
      func word(_ place: Int) -> UInt32 {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
      }
      for place in stride(from: 0, to: bytes.count, by: 8) {
        words.0 &+= word(place) &+ words.1
        words.1 &+= word(place + 4) &+ words.0
      }
    }

    func isAt(_ place: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
      func number(_ place: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      }
      return number(place) == words.0 && number(place + 4) == words.1
    }
  }
}
