import struct Foundation.UUID

/// The name and size of the work of several requests, for CloudKit's own logs (`CKOperationGroup`).
public struct OperationGroup: Sendable, Hashable {
  /// An estimate of the bytes that are transferred (`CKOperationGroup.TransferSize`).
  public enum TransferSize: Int, Sendable, Hashable, CaseIterable {
    /// The app makes no estimate.
    case unknown = 0
    /// 1 to 999 kB.
    case kilobytes = 1
    /// 1 to 9 MB.
    case megabytes = 2
    /// 10 to 99 MB.
    case tensOfMegabytes = 3
    /// 100 to 999 MB.
    case hundredsOfMegabytes = 4
    /// 1 to 9 GB.
    case gigabytes = 5
    /// 10 to 99 GB.
    case tensOfGigabytes = 6
    /// 100 GB or more.
    case hundredsOfGigabytes = 7
  }

  /// The identifier that CloudKit gives the group.
  public let operationGroupID: String
  /// The name of the group in logs.
  public var name: String?
  /// The number of items in the group; 0 if it is not known.
  public var quantity = 0
  /// An estimate of the bytes to send.
  public var expectedSendSize = TransferSize.unknown
  /// An estimate of the bytes to fetch.
  public var expectedReceiveSize = TransferSize.unknown

  /// Creates a group with an identifier of its own.
  public init() { operationGroupID = UUID().uuidString }

  /// Creates a group with a known identifier.
  package init(operationGroupID: String) { self.operationGroupID = operationGroupID }
}
