/// What a check of a whole bundle found.
public struct VerifyReport: Sendable, Hashable {
  /// Something that is wrong.
  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public var source: String
    /// The zstd frame, from 0, where one is concerned.
    public var frame: Int?
    /// The line, from 1, where one is concerned.
    public var line: Int?
    /// What is wrong.
    public var message: String

    /// The place and the message in one line.
    public var description: String {
      let places = [frame.map { "frame \($0)" }, line.map { "line \($0)" }].compactMap { $0 }
      return "\(([source] + places).joined(separator: ", ")): \(message)"
    }
  }

  /// What is wrong; at most ``mostListed``.
  public internal(set) var findings: [Finding] = []
  /// How much is wrong, listed or not.
  public internal(set) var findingCount = 0
  /// Lines that were read.
  public internal(set) var lines = 0
  /// Bytes of lines that were read.
  public internal(set) var bytes = 0
  /// Records among the lines.
  public internal(set) var records = 0
  /// Assets that are whole and have the right digest.
  public internal(set) var assets = 0
  /// The identity of the content, as the indexes say: see ``BundleReader/contentHash``.
  public internal(set) var contentHash = ""
  /// SHA-256 of the index frame of each file: see ``BundleReader/indexDigests``.
  public internal(set) var indexDigests: [String] = []

  /// No more findings than this are listed; all are counted.
  public static let mostListed = 100

  /// Whether nothing is wrong.
  public var isIntact: Bool { findingCount == 0 }

  mutating func add(
    _ message: String, in source: String, frame: Int? = nil, line: Int? = nil
  ) {
    findingCount += 1
    guard findings.count < Self.mostListed else { return }
    findings.append(Finding(source: source, frame: frame, line: line, message: message))
  }
}
