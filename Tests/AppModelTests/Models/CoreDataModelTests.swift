import RecordSchema
import TestSupport
import Testing

@testable import AppModel

@Suite("Core Data models")
struct CoreDataModelTests {
  /// A model with the entities of some XML.
  private func read(_ entities: String, configuration: String? = nil) -> MirroredModel {
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <!-- made by hand -->
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(entities)
      </model>
      """
    return CoreDataModel.read(
      Array(text.utf8), file: "Library/contents", named: "Library", configuration: configuration)
  }

  private func fields(_ model: MirroredModel, _ type: String) -> [String] {
    model.fullSchema.recordType(named: type)?.userFields.map { "\($0.name) \($0.type)" } ?? []
  }

  @Test(
    "each type of attribute has its field, and a field for large values where these can be",
    arguments: [
      ("String", "STRING", true), ("Integer 16", "INT64", false), ("Integer 32", "INT64", false),
      ("Integer 64", "INT64", false), ("Boolean", "INT64", false), ("Double", "DOUBLE", false),
      ("Float", "DOUBLE", false), ("Decimal", "DOUBLE", false), ("Date", "TIMESTAMP", false),
      ("UUID", "STRING", false), ("URI", "STRING", true), ("Binary", "BYTES", true),
      ("Transformable", "BYTES", true), ("Composite", "BYTES", true),
    ])
  func types(_ type: String, _ field: String, _ hasCompanion: Bool) {
    let model = read(
      "<entity name='Book'><attribute name='x' optional='YES' attributeType='\(type)'/></entity>")
    #expect(model.problems == [])
    #expect(
      fields(model, "CD_Book") == ["CD_entityName STRING", "CD_moveReceipt BYTES"]
        + ["CD_moveReceipt_ckAsset ASSET", "CD_x \(field)"]
        + (hasCompanion ? ["CD_x_ckAsset ASSET"] : []))
  }

  @Test("properties that are not stored in CloudKit have no field")
  func leftOut() {
    let model = read(
      """
      <entity name="Book">
        <attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="shown" transient="YES" attributeType="String"/>
        <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES"
          derivationExpression="pages.@count"/>
        <attribute name="draft" optional="YES" attributeType="String"><userInfo>
          <entry key="NSCloudKitMirroringDelegateIgnoredPropertyKey" value="YES"/></userInfo></attribute>
        <fetchedProperty name="recent" optional="YES"><fetchRequest name="r" entity="Book"/></fetchedProperty>
        <fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary"/></fetchIndex>
      </entity>
      <fetchRequest name="all" entity="Book" predicateString="title &lt; &quot;b&#233;&quot;"/>
      """)
    #expect(model.problems == [])
    #expect(
      fields(model, "CD_Book").filter { !$0.contains("moveReceipt") } == [
        "CD_entityName STRING", "CD_title STRING", "CD_title_ckAsset ASSET",
      ])
  }

  @Test("an encrypted attribute is encrypted without an index, and its file is an asset")
  func encrypted() {
    let model = read(
      """
      <entity name="Note"><attribute name="text" optional="YES" attributeType="String"
        allowsCloudEncryption="YES"/></entity>
      """)
    let type = model.fullSchema.recordType(named: "CD_Note")
    #expect(type?.field(named: "CD_text") == CloudSchema.Field("CD_text", .encrypted(.string)))
    #expect(type?.field(named: "CD_text_ckAsset")?.type == .asset)
    #expect(type?.field(named: "CD_entityName")?.type == .string)
  }

  @Test("a to-one relationship is a text without a file, and a to-many one has no field")
  func relationships() {
    let model = read(
      """
      <entity name="Shelf"><relationship name="books" optional="YES" toMany="YES"
        destinationEntity="Book" inverseName="shelf" inverseEntity="Book"/></entity>
      <entity name="Book"><relationship name="shelf" optional="YES" maxCount="1"
        destinationEntity="Shelf" inverseName="books" inverseEntity="Shelf"/></entity>
      """)
    #expect(fields(model, "CD_Shelf").filter { $0.contains("books") } == [])
    #expect(fields(model, "CD_Book").filter { $0.contains("shelf") } == ["CD_shelf STRING"])
    #expect(model.fullSchema.recordType(named: "CDMR") == nil)
  }

  @Test("relationships with many objects on both sides have one record type together")
  func manyToMany() {
    let model = read(
      """
      <entity name="Book"><relationship name="authors" optional="YES" toMany="YES"
        destinationEntity="Author" inverseName="books" inverseEntity="Author"/></entity>
      <entity name="Person"><relationship name="books" optional="YES" toMany="YES"
        destinationEntity="Book" inverseName="authors" inverseEntity="Book"/></entity>
      <entity name="Author" parentEntity="Person"/>
      """)
    #expect(
      fields(model, "CDMR") == [
        "CD_entityNames STRING", "CD_recordNames STRING", "CD_relationships STRING",
      ])
  }

  @Test("all entities of a tree have the record type of its root, whatever their order")
  func inheritance() {
    let model = read(
      """
      <entity name="Atlas" parentEntity="Manual"><attribute name="scale" optional="YES"
        attributeType="Double"/></entity>
      <entity name="Manual" parentEntity="Book"><attribute name="subject" optional="YES"
        attributeType="UUID"/></entity>
      <entity name="Book" isAbstract="YES"><attribute name="pages" optional="YES"
        attributeType="Integer 16"/></entity>
      """)
    #expect(model.fullSchema.recordTypes.map(\.name) == ["CD_Book", "Users"])
    #expect(
      fields(model, "CD_Book").filter { !$0.contains("moveReceipt") } == [
        "CD_entityName STRING", "CD_pages INT64", "CD_scale DOUBLE", "CD_subject STRING",
      ])
    #expect(model.root(of: "Atlas") == "Book")
  }

  @Test("a circle of parents ends, and loses no entity")
  func circle() {
    let model = read(
      "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/><entity name='C'/>")
    #expect(model.fullSchema.recordType(named: "CD_C") != nil)
    #expect(model.entities.count == 3)
  }

  @Test("a configuration has its members alone")
  func configurations() {
    let text = """
      <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/></entity>
      <entity name="Cache"/>
      <configuration name="Cloud"><memberEntity name="Book"/></configuration>
      <configuration name="Empty"/>
      """
    #expect(read(text).entities.map(\.name) == ["Book", "Cache"])
    #expect(read(text, configuration: "Cloud").entities.map(\.name) == ["Book"])
    #expect(read(text, configuration: "Empty").problems.map(\.rule) == ["MODEL_CONFIGURATION"])
    #expect(read(text, configuration: "Other").problems.map(\.rule) == ["MODEL_CONFIGURATION"])
  }

  @Test(
    "what is not known in a model is a problem with its line",
    arguments: [
      ("<entity name='A'>\n<future name='x'/></entity>", 5),
      ("<entity name='A'>\n<attribute name='x' attributeType='Point'/></entity>", 5),
      ("<entity name='A'>\n<attribute attributeType='String'/></entity>", 5),
      ("<entity name='A'>\n<relationship name='x' optional='YES'/></entity>", 5),
      ("<entity name='A'/>\n<entity name='A'/>", 5), ("\n\n<entity/>", 6),
      ("<entity name='A'><attribute name='x'\nname='y'/></entity>", 5),
      ("<entity name='A'>\n</other>", 5), ("<entity name='&unknown;'/>", 4),
    ])
  func problems(_ text: String, _ line: Int) {
    let model = read(text)
    #expect(model.problems.map(\.rule).contains("MODEL_NOT_READ"))
    #expect(model.problems.first?.location?.span.line == line)
    #expect(model.problems.first?.location?.file == "Library/contents")
  }

  @Test("a file that declares entities of its own is not expanded")
  func entityDeclarations() {
    let text = """
      <!DOCTYPE model [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><model><entity name="&b;"/></model>
      """
    let model = CoreDataModel.read(Array(text.utf8), file: "f", named: "f")
    #expect(model.entities.isEmpty && model.problems.count == 1)
  }

  @Test("the current version is read from its property list")
  func currentVersion() {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>
      \t<key>_XCCurrentVersionName</key>
      \t<string>Library 2.xcdatamodel</string>
      </dict></plist>
      """
    #expect(CurrentModelVersion.read(Array(text.utf8)) == "Library 2.xcdatamodel")
    #expect(CurrentModelVersion.read(Array(text.utf8.dropLast(20))) == nil)
  }

  @Test("any bytes are read, however deep or damaged")
  func hostile() {
    let seed = """
      <model><entity name="Book"><attribute name="a" optional="YES" attributeType="String"><userInfo>\
      <entry key="k" value="&lt;"/></userInfo></attribute><!-- c --><![CDATA[x]]></entity></model>
      """
    for number in SeededGenerator.seeds(300) {
      var random = SeededGenerator(number)
      var bytes = Array(seed.utf8)
      for _ in 0...random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(9)))
        default:
          bytes.insert(contentsOf: Array(random.pick(["<", ">", "\"", "&", "/"]).utf8), at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let model = CoreDataModel.read(bytes, file: "f", named: "f")
      // An attribute is read, is a problem, or is not there any more.
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains("<attribute name=\"a\" optional=\"YES\" attributeType=\"String\">"),
        text.contains("<entity name=\"Book\">"),
        !text.contains("<!-- c --><![") || !text.contains("<!--")
      {
        let isRead = model.entities.first?.attributes.contains { $0.name == "a" } ?? false
        #expect(isRead || !model.problems.isEmpty, "\(number): \(text)")
      }
    }
    for piece in ["<a>", "<a b='", "&#", "<!--", "<![CDATA[", "<?", "</a>"] {
      let bytes = Array(String(repeating: piece, count: 20_000).utf8)
      #expect(!CoreDataModel.read(bytes, file: "f", named: "f").problems.isEmpty)
    }
  }
}
