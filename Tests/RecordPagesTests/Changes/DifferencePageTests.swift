import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordStore
import StoreTestSupport
import TestSupport
import Testing

@testable import RecordPages

@Suite("A page of differences")
struct DifferencePageTests {
  private let zone = ZoneID(zoneName: "Chats")

  private func container(
    _ count: Int, zone: ZoneID? = nil, _ fill: (Int, inout DraftRecord) -> Void
  ) throws -> ContainerStore {
    let zone = zone ?? self.zone
    let container = try ContainerStore.inMemory(now: { Date(timeIntervalSince1970: 1e9) })
    try container.database(.private).save([RecordZone(zoneID: zone)])
    let drafts = (0..<count).map { number in
      let name = "r" + String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
      var draft = DraftRecord(
        recordType: "Note", recordID: RecordID(recordName: name, zoneID: zone))
      fill(number, &draft)
      return draft
    }
    try container.database(.private).save(drafts)
    return container
  }

  private func page(
    _ first: ContainerStore, _ second: ContainerStore, showEncrypted: Bool = false,
    isSummary: Bool = false
  ) async throws -> String {
    var comparison = ArchiveComparison(.container(first), .container(second))
    comparison.ignoredSystemFields = [.recordChangeTag, .modified]
    var page = DifferencePage(
      first: "a.sqlite", second: "b.sqlite", showEncrypted: showEncrypted, isSummary: isSummary)
    var body = HTML.empty
    let difference = try comparison.run { body += page.add($0) }
    body += page.end()
    let html = (page.opening(difference) + body + page.closing(difference)).text
    #expect(try await MarkupCheck.faults(in: html) == nil)
    return html
  }

  @Test("has the old and the new value, with the words that differ")
  func values() async throws {
    let before = try container(1) { $1["text"] = "A lazy dog sleeps" }
    let after = try container(1) { $1["text"] = "A lazy cat sleeps" }
    let html = try await page(before, after)
    #expect(
      html.contains("<td>A lazy <del>dog</del> sleeps</td><td>A lazy <ins>cat</ins> sleeps</td>"))
    #expect(html.contains("<strong class=\"changed\">1</strong> <span>record changed</span>"))
    #expect(html.contains("<a href=\"#group-1\">Note</a>"))
  }

  @Test("has the fields of records that were added and removed, without encrypted values")
  func addedAndRemoved() async throws {
    let one = try container(1) { _, draft in
      draft["text"] = "in one"
      draft.encryptedValues["secret"] = "hidden-word"
    }
    let html = try await page(one, container(0) { _, _ in })
    #expect(html.contains("<th scope=\"row\">text</th>") && html.contains("in one"))
    #expect(html.contains("<th scope=\"row\">secret</th>") && !html.contains("hidden-word"))
    let added = try await page(container(0) { _, _ in }, one, showEncrypted: true)
    #expect(added.contains("in one") && added.contains("hidden-word"))
  }

  @Test("hides the values of encrypted fields unless they are asked for")
  func encrypted() async throws {
    let (old, new) = ("old-secret", "new-secret")
    let before = try container(3) { number, draft in
      if number == 1 { draft["text"] = old } else { draft.encryptedValues["text"] = old }
    }
    let after = try container(3) { number, draft in
      if number < 2 { draft.encryptedValues["text"] = new }
    }
    let hidden = try await page(before, after)
    #expect(hidden.contains("&lt;encrypted&gt;</span><span class=\"changed\">, changed</span>"))
    // It was not encrypted before.
    #expect(hidden.contains(old))
    #expect(!hidden.contains(new))
    let shown = try await page(before, after, showEncrypted: true)
    #expect(shown.contains(new))
  }

  @Test("never has an encrypted value or a key without the flag, whatever the values are")
  func secrets() async throws {
    for seed in SeededGenerator.seeds(20) {
      var random = SeededGenerator(seed)
      var secrets: [String] = []
      func secret() -> String {
        let word = "s" + String(random.next() | 1 << 60, radix: 36)
        secrets.append(word)
        return word
      }
      func fill(_ number: Int, _ draft: inout DraftRecord) {
        for field in ["a", "b"] where !random.chance(4) {
          switch random.below(4) {
          case 0: draft.encryptedValues[field] = secret()
          case 1: draft.encryptedValues[field] = [secret()]
          case 2: draft.encryptedValues[field] = Data(secret().utf8)
          default: draft[field] = random.below(10)
          }
        }
      }
      let (before, after) = (try container(12, fill), try container(10, fill))
      let html = try await page(before, after)
      for value in secrets {
        let isHidden = !html.contains(value)
        #expect(isHidden, "seed \(seed)")
      }
    }
  }

  @Test("says how values differ that look the same")
  func lookalikes() async throws {
    let bytes = Data(repeating: 7, count: 40)
    let before = try container(2) {
      $1[$0 == 0 ? "data" : "text"] = $0 == 0 ? bytes as any RecordValueConvertible : "e\u{301}"
    }
    let after = try container(2) {
      $1[$0 == 0 ? "data" : "text"] =
        $0 == 0 ? bytes.dropLast() + [8] as Data as any RecordValueConvertible : "\u{E9}"
    }
    let html = try await page(before, after)
    #expect(html.contains("changed: …") && html.contains("HCA=="))
    #expect(html.contains("changed in its Unicode normalization"))
  }

  @Test("closes lists after 100 records, and opens a closed one")
  func longLists() async throws {
    for (count, closed) in [(100, 0), (101, 1), (200, 1), (201, 2)] {
      let before = try container(count) { $1["n"] = 1 }
      let after = try container(count) { $1["n"] = 2 }
      let html = try await page(before, after)
      #expect(html.components(separatedBy: "<details>").count - 1 == closed, "\(count)")
      #expect(html.components(separatedBy: "class=\"record\"").count - 1 == count)
    }
  }

  @Test("with only a summary has no record")
  func summary() async throws {
    let before = try container(3) { $1["n"] = $0 }
    let after = try container(5) { $1["n"] = $0 / 2 }
    let html = try await page(before, after, isSummary: true)
    #expect(!html.contains("r0001"))
    #expect(!html.contains("href=\"#group"))
    #expect(html.contains("records added"))
  }

  @Test("of equal containers says so")
  func equal() async throws {
    let before = try container(3) { $1["n"] = $0 }
    let html = try await page(before, before)
    #expect(html.contains("<h1>No differences</h1>"))
    #expect(html.contains("3 records the same"))
  }

  @Test("escapes hostile values")
  func hostile() async throws {
    let before = try container(1) { $1["text"] = "x </td><script>alert(1)</script> y" }
    let after = try container(1) { $1["text"] = "x </td><script>alert(2)</script> \u{202E}y" }
    let html = try await page(before, after)
    #expect(!html.contains("<script"))
    #expect(!html.contains("\u{202E}"))
  }
}
