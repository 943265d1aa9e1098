/// The sources that several rules cite.
extension SchemaRule.Evidence {
  static let textSchemaPage = Self(
    .apple,
    "\"Integrating a Text-Based Schema into Your Workflow\", "
      + "https://developer.apple.com/documentation/cloudkit/"
      + "integrating-a-text-based-schema-into-your-workflow")

  static let deployingPage = Self(
    .apple,
    "\"Deploying an iCloud Container's Schema\", "
      + "https://developer.apple.com/documentation/cloudkit/"
      + "deploying-an-icloud-container-s-schema")

  static let quickStart = Self(
    .apple,
    "CloudKit Quick Start, \"Deploying Your CloudKit App\": deployments merge, and record types "
      + "and fields in production cannot be deleted")

  static let encryptedValues = Self(
    .apple,
    "CKRecord.encryptedValues and NSAttributeDescription.allowsCloudEncryption: only new fields "
      + "can be encrypted, and the state is fixed once it is in production")

  static let quotingRules = Self(
    .apple,
    "the grammar of the text schema page: a name is a letter followed by letters, digits and "
      + "underscores, or stands in quotation marks")
}
