import struct Foundation.UUID

/// The name and size of the work of several requests, for CloudKit's own logs (`CKOperationGroup`).
public struct OperationGroup: Sendable, Hashable {
  /// An estimate of the bytes that are transferred (`CKOperationGroup.TransferSize`).
  public enum TransferSize: Int, Sendable, Hashable, CaseIterable {
    case unknown = 0
    case kilobytes = 1
    case megabytes = 2
    case tensOfMegabytes = 3
    case hundredsOfMegabytes = 4
    case gigabytes = 5
    case tensOfGigabytes = 6
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
