import ArgumentParser
import Foundation
import RecordPack

/// Reads a bundle into the structs of `ChatModel`, which `recordpack schema generate` wrote.
struct Typed: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure reading a bundle into generated structs, with all system fields.")

  @OptionGroup var options: ReadOptions

  func run() throws {
    let watch = Stopwatch()
    let bundle = try BundleReader(path: options.input)
    let sum = SharedSum()
    try bundle.concurrentlyForEach(Chat.self, threads: options.threads) { chat, _ in
      var own = ValueSum()
      own.add(chat)
      sum.add(own.value)
    }
    try bundle.concurrentlyForEach(Message.self, threads: options.threads) { message, _ in
      var own = ValueSum()
      own.add(message)
      sum.add(own.value)
    }
    try bundle.concurrentlyForEach(Reaction.self, threads: options.threads) { reaction, _ in
      var own = ValueSum()
      own.add(reaction)
      sum.add(own.value)
    }
    try watch.measurement(
      "typed", records: sum.records, bytes: bundle.contentSize, fileBytes: Int(bundle.size),
      checksum: sum.value
    ).report()
  }
}

/// Reads a bundle into `Codable` structs.
struct CodableTypes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "codable",
    abstract: "Measure reading a bundle into Codable structs, with all system fields.")

  @OptionGroup var options: ReadOptions

  func run() throws {
    let watch = Stopwatch()
    let bundle = try BundleReader(path: options.input)
    let sum = SharedSum()
    let decoder = RecordDecoder()
    try bundle.concurrentlyForEachRecord(threads: options.threads) { record in
      let item = try decoder.decode(CodableItem.self, from: record)
      var own = ValueSum()
      own.add(item, recordType: record.recordType)
      sum.add(own.value)
    }
    try watch.measurement(
      "codable", records: sum.records, bytes: bundle.contentSize, fileBytes: Int(bundle.size),
      checksum: sum.value
    ).report()
  }
}

/// The fields of all types: which a record has depends on its type.
struct CodableItem: Decodable {
  @RecordIdentity var recordID: RecordID
  @RecordChangeTag var recordChangeTag: String?
  @CreationDate var creationDate: Date?
  @CreatorUserRecordID var creatorUserRecordID: RecordID?
  @ModificationDate var modificationDate: Date?
  @LastModifiedUserRecordID var lastModifiedUserRecordID: RecordID?
  @Parent var parent: Reference?
  var emoji: String?
  var members: [String]?
  @Encrypted var note: String?
  var preview: Data?
  var relatedRecords: [Reference]?
  var score: Double?
  var sentAt: Date?
  var sequence: Int64?
  var text: String?
  var title: String?
}
