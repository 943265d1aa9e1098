import Foundation

/// What one run of something took.
struct Measurement: Encodable {
  /// What was measured.
  var name: String
  /// Nanoseconds on the wall clock.
  var nanoseconds: UInt64
  /// Nanoseconds of processor time, of all threads together.
  var cpuNanoseconds: UInt64
  /// Records that were written or read.
  var records: Int
  /// Bytes of canonical JSON lines they are.
  var bytes: Int
  /// Bytes of the file that was written or read, where there is one.
  var fileBytes: Int?
  /// The most memory the process has held so far, in bytes.
  var peakBytes: Int
  /// A sum over all values, equal wherever the same values were read.
  var checksum: UInt64?
}

/// Two clocks that run while something is measured.
struct Stopwatch {
  private let start = ContinuousClock.now
  private let cpuStart = ResourceUse.now.cpuNanoseconds

  /// What was measured since the watch was made.
  func measurement(
    _ name: String, records: Int, bytes: Int, fileBytes: Int? = nil, checksum: UInt64? = nil
  ) -> Measurement {
    let elapsed = (ContinuousClock.now - start).components
    let use = ResourceUse.now
    return Measurement(
      name: name,
      nanoseconds: UInt64(elapsed.seconds) * 1_000_000_000
        + UInt64(elapsed.attoseconds / 1_000_000_000),
      cpuNanoseconds: use.cpuNanoseconds - cpuStart, records: records, bytes: bytes,
      fileBytes: fileBytes, peakBytes: use.peakBytes, checksum: checksum)
  }
}

/// What the process has used so far.
struct ResourceUse {
  var cpuNanoseconds: UInt64
  var peakBytes: Int

  static var now: ResourceUse {
    var usage = rusage()
    // Darwin counts the peak in bytes, Linux in KiB.
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      let unit = 1
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      let unit = 1024
    #endif
    func nanoseconds(_ time: timeval) -> UInt64 {
      UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_usec) * 1000
    }
    return ResourceUse(
      cpuNanoseconds: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
      peakBytes: Int(usage.ru_maxrss) * unit)
  }
}

extension Measurement {
  /// Writes the measurement to standard output, as one line of JSON.
  func report() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var line = try encoder.encode(self)
    line.append(UInt8(ascii: "\n"))
    try FileHandle.standardOutput.write(contentsOf: line)
  }
}

/// The size of a file in bytes.
func fileSize(_ path: String) throws -> Int {
  try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
}
