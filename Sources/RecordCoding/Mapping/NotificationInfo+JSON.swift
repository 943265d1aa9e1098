import RecordModel

extension NotificationInfo: JSONMapped {
  package static var noun: String { "notification info" }
  package static var empty: NotificationInfo { NotificationInfo() }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("alertBody", &alertBody)
    try members.map("alertLocalizationKey", &alertLocalizationKey)
    try members.map("alertLocalizationArgs", &alertLocalizationArgs, default: [])
    try members.map("alertActionLocalizationKey", &alertActionLocalizationKey)
    try members.map("alertLaunchImage", &alertLaunchImage)
    try members.map("title", &title)
    try members.map("titleLocalizationKey", &titleLocalizationKey)
    try members.map("titleLocalizationArgs", &titleLocalizationArgs, default: [])
    try members.map("subtitle", &subtitle)
    try members.map("subtitleLocalizationKey", &subtitleLocalizationKey)
    try members.map("subtitleLocalizationArgs", &subtitleLocalizationArgs, default: [])
    try members.map("soundName", &soundName)
    try members.map("category", &category)
    try members.map("collapseIdKey", or: "collapseIDKey", &collapseIDKey)
    // Web Services' name for desired keys.
    try members.map("additionalFields", or: "desiredKeys", &desiredKeys, default: [])
    try members.map("shouldBadge", &shouldBadge, default: false)
    try members.map("shouldSendContentAvailable", &shouldSendContentAvailable, default: false)
    try members.map("shouldSendMutableContent", &shouldSendMutableContent, default: false)
  }
}
