import struct Foundation.Data
import struct Foundation.URL

/// A file of a record (`CKAsset`).
///
/// The asset of a draft has content (``init(fileURL:)``, ``init(data:)``). A saved asset refers to
/// content in its container by ``sha256``. An asset from a server has the server's properties, and
/// content only if it was downloaded.
///
/// ```swift
/// note["photo"] = Asset(data: Data([1, 2, 3]))
/// ```
public struct Asset: Sendable, Hashable {
  /// The source of an asset that is not yet saved.
  public enum Content: Sendable, Hashable {
    /// A file, read when the draft is saved.
    case file(URL)
    /// Bytes in memory.
    case data(Data)
  }

  /// The content of an asset that is not yet saved.
  public var content: Content?
  /// The SHA-256 digest of the content, 64 lower-case hexadecimal digits; its key in a container or
  /// bundle.
  @ExactText public var sha256: String?
  /// The size of the content in bytes.
  public var size: Int64?
  /// CloudKit's signature of the file, in base64.
  @ExactText public var fileChecksum: String?
  /// CloudKit's signature of the reference to the file, in base64.
  @ExactText public var referenceChecksum: String?
  /// The encryption key of the stored file, in base64; never part of reports.
  @ExactText public var wrappingKey: String?
  /// The receipt of an upload, in base64.
  @ExactText public var receipt: String?
  /// The URL to download the file from, valid for a limited time.
  @ExactText public var downloadURL: String?
  /// The JSON members of the asset that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates an asset from a file, which is read when the draft is saved.
  public init(fileURL: URL) {
    self.init(content: .file(fileURL))
  }

  /// Creates an asset from bytes in memory.
  public init(data: Data) {
    self.init(content: .data(data), size: Int64(data.count))
  }

  /// Creates an asset from its properties.
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
