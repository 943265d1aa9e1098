import CloudInterface
import Foundation
import RecordModel

/// An identifier of the model that a class of the framework stands for.
protocol FrameworkIdentified: Hashable {
  associatedtype Framework: Hashable
  var framework: Framework { get }
}

extension ZoneID: FrameworkIdentified {
  init(_ id: CKRecordZone.ID) { self.init(zoneName: id.zoneName, ownerName: id.ownerName) }
  var framework: CKRecordZone.ID { CKRecordZone.ID(self) }
}

extension CKRecordZone.ID {
  convenience init(_ id: ZoneID) { self.init(zoneName: id.zoneName, ownerName: id.ownerName) }
}

extension RecordID: FrameworkIdentified {
  init(_ id: CKRecord.ID) { self.init(recordName: id.recordName, zoneID: ZoneID(id.zoneID)) }
  var framework: CKRecord.ID { CKRecord.ID(self) }
}

extension CKRecord.ID {
  convenience init(_ id: RecordID) {
    self.init(recordName: id.recordName, zoneID: CKRecordZone.ID(id.zoneID))
  }
}

extension String: FrameworkIdentified {
  var framework: String { self }
}

extension RecordModel.Reference {
  init(_ reference: CKRecord.Reference) {
    let action: Action =
      switch reference.action {
      case .none: .none
      case .deleteSelf: .deleteSelf
      }
    self.init(recordID: RecordID(reference.recordID), action: action)
  }
}

extension CKRecord.Reference {
  convenience init(_ reference: RecordModel.Reference) {
    self.init(
      recordID: CKRecord.ID(reference.recordID),
      action: reference.action == .deleteSelf ? .deleteSelf : .none)
  }
}

extension RecordZone {
  init(_ zone: CKRecordZone) { self.init(zoneID: ZoneID(zone.zoneID)) }
}

extension CKRecordZone {
  convenience init(_ zone: RecordZone) {
    var capabilities: Capabilities = []
    for capability in zone.capabilities {
      switch capability {
      case .fetchChanges: capabilities.insert(.fetchChanges)
      case .atomic: capabilities.insert(.atomic)
      case .sharing: capabilities.insert(.sharing)
      case .zoneWideSharing: capabilities.insert(.zoneWideSharing)
      }
    }
    self.init(
      zoneID: CKRecordZone.ID(zone.zoneID), capabilities: capabilities,
      share: zone.share.map(CKRecord.Reference.init))
  }
}
