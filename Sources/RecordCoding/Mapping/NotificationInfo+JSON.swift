import RecordModel

extension NotificationInfo: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "how notifications look")
    self.init()
    alertBody = try members.string("alertBody")
    alertLocalizationKey = try members.string("alertLocalizationKey")
    alertLocalizationArgs = try members.strings("alertLocalizationArgs") ?? []
    alertActionLocalizationKey = try members.string("alertActionLocalizationKey")
    alertLaunchImage = try members.string("alertLaunchImage")
    title = try members.string("title")
    titleLocalizationKey = try members.string("titleLocalizationKey")
    titleLocalizationArgs = try members.strings("titleLocalizationArgs") ?? []
    subtitle = try members.string("subtitle")
    subtitleLocalizationKey = try members.string("subtitleLocalizationKey")
    subtitleLocalizationArgs = try members.strings("subtitleLocalizationArgs") ?? []
    soundName = try members.string("soundName")
    category = try members.string("category")
    let collapseID = try members.string("collapseIDKey")
    collapseIDKey = try members.string("collapseIdKey") ?? collapseID
    let desired = try members.strings("desiredKeys")
    // Web Services' name for desired keys.
    desiredKeys = try members.strings("additionalFields") ?? desired ?? []
    shouldBadge = try members.bool("shouldBadge") ?? false
    shouldSendContentAvailable = try members.bool("shouldSendContentAvailable") ?? false
    shouldSendMutableContent = try members.bool("shouldSendMutableContent") ?? false
    otherMembers = members.others()
  }

  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    var members = MemberWriter()
    members.add("alertBody", alertBody)
    members.add("alertLocalizationKey", alertLocalizationKey)
    members.add("alertLocalizationArgs", nonEmpty: alertLocalizationArgs)
    members.add("alertActionLocalizationKey", alertActionLocalizationKey)
    members.add("alertLaunchImage", alertLaunchImage)
    members.add("title", title)
    members.add("titleLocalizationKey", titleLocalizationKey)
    members.add("titleLocalizationArgs", nonEmpty: titleLocalizationArgs)
    members.add("subtitle", subtitle)
    members.add("subtitleLocalizationKey", subtitleLocalizationKey)
    members.add("subtitleLocalizationArgs", nonEmpty: subtitleLocalizationArgs)
    members.add("soundName", soundName)
    members.add("category", category)
    members.add("collapseIdKey", collapseIDKey)
    members.add("additionalFields", nonEmpty: desiredKeys)
    members.add("shouldBadge", whenTrue: shouldBadge)
    members.add("shouldSendContentAvailable", whenTrue: shouldSendContentAvailable)
    members.add("shouldSendMutableContent", whenTrue: shouldSendMutableContent)
    try members.add(otherMembers)
    return members.value
  }
}
