extension SchemaRule.Evidence {
  static func apple(_ text: String) -> Self { Self(strength: .apple, text: text) }
  static func server(_ text: String) -> Self { Self(strength: .server, text: text) }
  static func corpus(_ text: String) -> Self { Self(strength: .corpus, text: text) }
  static func community(_ text: String) -> Self { Self(strength: .community, text: text) }
  static func inference(_ text: String) -> Self { Self(strength: .inference, text: text) }
}

/// The sources cited by several rules.
extension SchemaRule.Evidence {
  private static let cloudKit = "https://developer.apple.com/documentation/cloudkit/"

  static let textSchemaPage = Self.apple(
    "[Integrating a Text-Based Schema into Your Workflow]"
      + "(\(cloudKit)integrating-a-text-based-schema-into-your-workflow)")

  static let deployingPage = Self.apple(
    "[Deploying an iCloud Container's Schema]"
      + "(\(cloudKit)deploying-an-icloud-container-s-schema)")

  static let quickStart = Self.apple(
    "[CloudKit Quick Start](https://developer.apple.com/library/archive/documentation/"
      + "DataManagement/Conceptual/CloudKitQuickStart/DeployingYourCloudKitApp/"
      + "DeployingYourCloudKitApp.html), \"Deploying Your CloudKit App\": deployments merge, and "
      + "record types and fields in production cannot be deleted")

  static let encryptedValues = Self.apple(
    "[CKRecord.encryptedValues](\(cloudKit)ckrecord/encryptedvalues) and "
      + "NSAttributeDescription.allowsCloudEncryption: only new fields can be encrypted, and the "
      + "state is fixed once it is in production")

  static let quotingRules = Self.apple(
    "the grammar in [Integrating a Text-Based Schema into Your Workflow]"
      + "(\(cloudKit)integrating-a-text-based-schema-into-your-workflow): a name is a letter "
      + "followed by letters, digits and underscores, or is quoted")

  static let productionRejection = Self.server(
    "many users report the message, with CKError 12/2006 and the whole record rejected")

  static let encryptingUserData = Self.apple(
    "[Encrypting User Data](\(cloudKit)encrypting-user-data): encryption is for private and "
      + "shared databases")

  static let encryptionSample = Self.apple(
    "the sample project [CloudKit Samples: Encryption]"
      + "(https://github.com/apple/sample-cloudkit-encryption): references cannot be encrypted, and "
      + "assets are always encrypted")

  static let recordNames = Self.apple(
    "[CKRecord.ID.init(recordName:)](\(cloudKit)ckrecord/id/init(recordname:)): ASCII "
      + "only, at most 255 characters, no underscore at the start, and an exception for an empty name"
  )

  static let subscriptionRejection = Self.server(
    "\"attempting to create a subscription in a production container\": users found this cause")
}

// Links to sources that several texts name.
let mistKitIssue = "[MistKit issue 392](https://github.com/brightdigit/MistKit/issues/392)"
let openCloudData = "[OpenCloudData](https://github.com/pookjw/OpenCloudData)"
let sqliteData = "[SQLiteData](https://github.com/pointfreeco/sqlite-data)"
let coreDataRecords =
  "[Reading CloudKit Records for Core Data](https://developer.apple.com/documentation/coredata/"
  + "reading-cloudkit-records-for-core-data)"
let webServicesReference =
  "[CloudKit Web Services Reference](https://developer.apple.com/library/archive/documentation/"
  + "DataManagement/Conceptual/CloudKitWebServicesReference/)"
