import Foundation
import RecordArchive
import RecordModel
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Errors of an anonymisation")
struct AnonymisationErrorTests {
  private let maker: SourceMaker

  init() throws { maker = try SourceMaker() }

  @Test("A field without a rule is an error that names all of them, and nothing is written")
  func unnamedFields() throws {
    let source = try maker.source(fields: [
      Field(name: "a", value: .string("x")), Field(name: "b", value: .int64(1)),
      Field(name: "c", value: .double(1)),
    ])
    let path = maker.folder.path("out.recordpack")
    let error = #expect(throws: AnonymisationError.self) {
      try SourceMaker.anonymisation("types: {Note: {b: keep}}").write(source, to: path)
    }
    #expect(error?.description.contains("Note.a (STRING), Note.c (DOUBLE)") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: AnonymisationError.self) {
      try SourceMaker.anonymisation("types:").write(source, to: path)
    }
    #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
  }

  @Test("An encrypted value cannot be kept, in the policy and in a record")
  func encryptedValues() throws {
    let field = Field(name: "a", value: .string("Secret"), isEncrypted: true)
    let error = #expect(throws: AnonymisationError.self) {
      try maker.fields("types:\n  Note:\n    a: keep", [field])
    }
    #expect(
      error?.description
        == "policy.yml:4:8: error: the rule for Note.a: encrypted values cannot be kept; use 'text' "
        + "or 'redact'")
    let schema = "DEFINE SCHEMA RECORD TYPE Note (a ENCRYPTED STRING, b INT64);"
    #expect(throws: AnonymisationError.self) {
      try SourceMaker.anonymisation("types: {Note: {a: keep, b: keep}}").write(
        maker.source(fields: [], schema: schema), to: maker.folder.path("x.recordpack"))
    }
  }

  @Test(
    "A policy that does not fit the schema is an error with the line",
    arguments: [
      (
        "types:\n  Note:\n    titel: text",
        "policy.yml:4:12: error: neither the schema nor a record has the field of Note 'titel'; did you mean 'title'?"
      ),
      (
        "types:\n  Nota: {title: text}",
        "policy.yml:3:3: error: neither the schema nor a record has the type 'Nota'; did you mean 'Note'?"
      ),
      (
        "types:\n  Note: {count: email}",
        "policy.yml:3:17: error: the rule for Note.count: 'email' does not apply to INT64 values"
      ),
    ])
  func schemaErrors(_ yaml: String, _ expected: String) throws {
    let schema = "DEFINE SCHEMA RECORD TYPE Note (title STRING, count INT64);"
    let source = try maker.source(fields: [], schema: schema)
    var found = ""
    do {
      try SourceMaker.anonymisation(yaml).write(source, to: maker.folder.path("x.recordpack"))
    } catch {
      found = "\(error)"
    }
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test(
    "A policy that cannot be read is an error with line and column",
    arguments: [
      ("", "policy.yml:1:1: error: the policy is empty"),
      ("types: {}", "policy.yml:1:1: error: this is not a policy"),
      (
        "recordpack-policy: 2",
        "policy.yml:1:20: error: this version of RecordPack reads version 1 of a policy"
      ),
      (
        "recordpack-policy: 1\ntype: {}",
        "policy.yml:2:1: error: a policy has no 'type'; did you mean 'types'?"
      ),
      ("recordpack-policy: 1\ndefault: hide", "policy.yml:2:10: error: there is no default 'hide'"),
      (
        "recordpack-policy: 1\ndates: move",
        "policy.yml:2:8: error: there is no rule for dates 'move'"
      ),
      (
        "recordpack-policy: 1\nassets: keep",
        "policy.yml:2:9: error: there is no rule for assets 'keep'"
      ),
      (
        "recordpack-policy: 1\ntypes:\n  Note:\n    a: txt",
        "policy.yml:4:8: error: there is no rule 'txt'; did you mean 'text'?"
      ),
      ("recordpack-policy: 1\ntypes: [a]", "policy.yml:2:8: error: 'types' is a mapping"),
      ("recordpack-policy: 1\nkeep: {a: b}", "policy.yml:2:7: error: keep is a list"),
      ("recordpack-policy: 1\ntypes:\n  A: {b: [c]}", "policy.yml:3:10: error: rule is a string"),
    ])
  func policyErrors(_ yaml: String, _ expected: String) {
    let error = #expect(throws: FixtureError.self) { try AnonymisationPolicy(yaml: yaml) }
    #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
  }

  @Test("Two names that get the same pseudonym are an error, and nothing is written")
  func collisions() throws {
    var anonymisation = try SourceMaker.anonymisation("default: redact")
    anonymisation.settings.pseudonyms.mask = 0
    let path = maker.folder.path("out.recordpack")
    let source = try maker.source([
      SourceMaker.record("one", [:]), SourceMaker.record("two", [:]),
    ])
    let error = #expect(throws: ArchiveError.self) { try anonymisation.write(source, to: path) }
    #expect(error?.description.contains("use another key") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
