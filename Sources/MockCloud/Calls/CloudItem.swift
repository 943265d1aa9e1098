import CloudInterface
import RecordCoding
import RecordModel

import struct Foundation.URL

/// One of several things that a call asks for or changes.
public enum CloudItem: Sendable, Hashable {
  /// A record. A share that is accepted is one, too.
  case record(RecordID)
  /// A zone.
  case zone(ZoneID)
  /// A subscription.
  case subscription(String)
  /// A user to invite to a share.
  case user(UserIdentity.LookupInfo)
  /// The link to a share.
  case link(URL)

  /// The zone that it is or lies in.
  var zoneID: ZoneID? {
    switch self {
    case .record(let id): id.zoneID
    case .zone(let id): id
    case .subscription, .user, .link: nil
    }
  }
}

extension CloudItem: CustomStringConvertible {
  /// The kind and the name; only the kind of users and links.
  public var description: String {
    switch self {
    case .record(let id): "record '\(id)'"
    case .zone(let id): "zone '\(id)'"
    case .subscription(let id): "subscription '\(id)'"
    case .user: "a user"
    case .link: "a link"
    }
  }
}

extension ShareMetadata {
  /// The share as an item of a call.
  var item: CloudItem { .record(share.recordID) }
}

extension Sequence {
  /// Returns the elements in the order of the text of a key's JSON, for keys without another order.
  func sortedByJSON(_ key: (Element) -> some JSONConvertible) -> [Element] {
    map { ($0, ExactString((try? key($0).jsonValue().compactText) ?? "")) }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }
}
