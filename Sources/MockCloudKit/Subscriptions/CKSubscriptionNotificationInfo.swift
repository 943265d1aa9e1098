import Foundation
import RecordCoding
import RecordModel

extension CKSubscription {
  public typealias NotificationInfo = CKNotificationInfo
}

// swift-corelibs-foundation cannot archive a class within another.
public class CKNotificationInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private let state: Locked<RecordModel.NotificationInfo>

  var model: RecordModel.NotificationInfo { state.current }

  init(_ model: RecordModel.NotificationInfo) {
    state = Locked(model)
    super.init()
  }

  public override convenience init() { self.init(RecordModel.NotificationInfo()) }

  public func copy(with zone: NSZone? = nil) -> Any { CKSubscription.NotificationInfo(model) }

  public static var supportsSecureCoding: Bool { true }

  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKNotificationInfo")
  }

  // The keys of CloudKit are not known.
  public func encode(with coder: NSCoder) {
    coder.encode((try? JSONEncoder().encode(model)).map { $0 as NSData }, forKey: "JSON")
  }

  public required init?(coder: NSCoder) {
    guard let data = coder.optionalObject(of: NSData.self, forKey: "JSON"),
      let model = try? JSONDecoder().decode(RecordModel.NotificationInfo.self, from: data as Data)
    else { return nil }
    state = Locked(model)
    super.init()
  }

  public var alertBody: String? {
    get { state.with { $0.alertBody } }
    set { state.with { $0.alertBody = newValue } }
  }

  public var alertLocalizationKey: String? {
    get { state.with { $0.alertLocalizationKey } }
    set { state.with { $0.alertLocalizationKey = newValue } }
  }

  public var alertLocalizationArgs: [CKRecord.FieldKey]? {
    get { state.with { $0.alertLocalizationArgs.isEmpty ? nil : $0.alertLocalizationArgs } }
    set { state.with { $0.alertLocalizationArgs = newValue ?? [] } }
  }

  public var title: String? {
    get { state.with { $0.title } }
    set { state.with { $0.title = newValue } }
  }

  public var titleLocalizationKey: String? {
    get { state.with { $0.titleLocalizationKey } }
    set { state.with { $0.titleLocalizationKey = newValue } }
  }

  public var titleLocalizationArgs: [CKRecord.FieldKey]? {
    get { state.with { $0.titleLocalizationArgs.isEmpty ? nil : $0.titleLocalizationArgs } }
    set { state.with { $0.titleLocalizationArgs = newValue ?? [] } }
  }

  public var subtitle: String? {
    get { state.with { $0.subtitle } }
    set { state.with { $0.subtitle = newValue } }
  }

  public var subtitleLocalizationKey: String? {
    get { state.with { $0.subtitleLocalizationKey } }
    set { state.with { $0.subtitleLocalizationKey = newValue } }
  }

  public var subtitleLocalizationArgs: [CKRecord.FieldKey]? {
    get { state.with { $0.subtitleLocalizationArgs.isEmpty ? nil : $0.subtitleLocalizationArgs } }
    set { state.with { $0.subtitleLocalizationArgs = newValue ?? [] } }
  }

  public var alertActionLocalizationKey: String? {
    get { state.with { $0.alertActionLocalizationKey } }
    set { state.with { $0.alertActionLocalizationKey = newValue } }
  }

  public var alertLaunchImage: String? {
    get { state.with { $0.alertLaunchImage } }
    set { state.with { $0.alertLaunchImage = newValue } }
  }

  public var soundName: String? {
    get { state.with { $0.soundName } }
    set { state.with { $0.soundName = newValue } }
  }

  public var desiredKeys: [CKRecord.FieldKey]? {
    get { state.with { $0.desiredKeys.isEmpty ? nil : $0.desiredKeys } }
    set { state.with { $0.desiredKeys = newValue ?? [] } }
  }

  public var shouldBadge: Bool {
    get { state.with { $0.shouldBadge } }
    set { state.with { $0.shouldBadge = newValue } }
  }

  public var shouldSendContentAvailable: Bool {
    get { state.with { $0.shouldSendContentAvailable } }
    set { state.with { $0.shouldSendContentAvailable = newValue } }
  }

  public var shouldSendMutableContent: Bool {
    get { state.with { $0.shouldSendMutableContent } }
    set { state.with { $0.shouldSendMutableContent = newValue } }
  }

  public var category: String? {
    get { state.with { $0.category } }
    set { state.with { $0.category = newValue } }
  }

  public var collapseIDKey: String? {
    get { state.with { $0.collapseIDKey } }
    set { state.with { $0.collapseIDKey = newValue } }
  }
}

extension CKSubscription.NotificationInfo {
  public convenience init(
    alertBody: String? = nil,
    alertLocalizationKey: String? = nil,
    alertLocalizationArgs: [CKRecord.FieldKey] = [],
    title: String? = nil,
    titleLocalizationKey: String? = nil,
    titleLocalizationArgs: [CKRecord.FieldKey] = [],
    subtitle: String? = nil,
    subtitleLocalizationKey: String? = nil,
    subtitleLocalizationArgs: [CKRecord.FieldKey] = [],
    alertActionLocalizationKey: String? = nil,
    alertLaunchImage: String? = nil,
    soundName: String? = nil,
    desiredKeys: [CKRecord.FieldKey] = [],
    shouldBadge: Bool = false,
    shouldSendContentAvailable: Bool = false,
    shouldSendMutableContent: Bool = false,
    category: String? = nil,
    collapseIDKey: String? = nil
  ) {
    self.init(RecordModel.NotificationInfo())
    self.alertBody = alertBody
    self.alertLocalizationKey = alertLocalizationKey
    self.alertLocalizationArgs = alertLocalizationArgs
    self.title = title
    self.titleLocalizationKey = titleLocalizationKey
    self.titleLocalizationArgs = titleLocalizationArgs
    self.subtitle = subtitle
    self.subtitleLocalizationKey = subtitleLocalizationKey
    self.subtitleLocalizationArgs = subtitleLocalizationArgs
    self.alertActionLocalizationKey = alertActionLocalizationKey
    self.alertLaunchImage = alertLaunchImage
    self.soundName = soundName
    self.desiredKeys = desiredKeys
    self.shouldBadge = shouldBadge
    self.shouldSendContentAvailable = shouldSendContentAvailable
    self.shouldSendMutableContent = shouldSendMutableContent
    self.category = category
    self.collapseIDKey = collapseIDKey
  }
}
