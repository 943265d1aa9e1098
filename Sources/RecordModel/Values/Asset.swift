import struct Foundation.Data
import struct Foundation.URL

/// A file that belongs to a record (`CKAsset`).
///
/// A draft's asset holds its content (``init(fileURL:)``, ``init(data:)``). Once a container has
/// stored it, the asset names its content by ``sha256``, and the container hands out the bytes. An
/// asset that came from a server has the server's members, and its content only where that was
/// fetched too.
public struct Asset: Sendable, Hashable {
  /// Where the bytes of an asset that is not yet stored come from.
  public enum Content: Sendable, Hashable {
    /// A file, read when the draft is saved.
    case file(URL)
    /// The bytes themselves.
    case data(Data)
  }

  /// The content of a draft's asset, until it is saved.
  public var content: Content?
  /// SHA-256 of the content, 64 lower-case hexadecimal digits: its key in a container or bundle.
  @ExactText public var sha256: String?
  /// The size of the content in bytes.
  public var size: Int64?
  /// CloudKit's signature of the file, base64.
  @ExactText public var fileChecksum: String?
  /// CloudKit's signature of the reference to the file, base64.
  @ExactText public var referenceChecksum: String?
  /// The key the stored file is encrypted with, base64. Never shown in reports.
  @ExactText public var wrappingKey: String?
  /// The proof of an upload, base64.
  @ExactText public var receipt: String?
  /// Where the server offers the file for download, for a while.
  @ExactText public var downloadURL: String?
  /// What a server sent in the asset that this model does not know.
  public var otherMembers: OtherMembers

  /// An asset out of a file, read when the draft that holds it is saved.
  public init(fileURL: URL) {
    self.init(content: .file(fileURL))
  }

  /// An asset out of bytes in memory.
  public init(data: Data) {
    self.init(content: .data(data), size: Int64(data.count))
  }

  /// An asset out of its members.
  public init(
    content: Content? = nil, sha256: String? = nil, size: Int64? = nil,
    fileChecksum: String? = nil, referenceChecksum: String? = nil, wrappingKey: String? = nil,
    receipt: String? = nil, downloadURL: String? = nil, otherMembers: OtherMembers = []
  ) {
    self.content = content
    self.sha256 = sha256
    self.size = size
    self.fileChecksum = fileChecksum
    self.referenceChecksum = referenceChecksum
    self.wrappingKey = wrappingKey
    self.receipt = receipt
    self.downloadURL = downloadURL
    self.otherMembers = otherMembers
  }
}
