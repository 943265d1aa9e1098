import CloudInterface
import Foundation
import RecordCoding
import RecordModel

extension Endpoint {
  /// `users/caller`: returns the user whose web auth token the request has, by GET or POST.
  static func callingUser(_ body: inout RequestBody) -> Answer {
    { call in try json(try await caller(call)) }
  }

  /// `users/current`: the earlier form of `users/caller`, with the parts of the name as members.
  static func currentUser(_ body: inout RequestBody) -> Answer {
    { call in
      let user = try await caller(call)
      var members = json(named: user)
      members.add("emailAddress", user.lookupInfo?.emailAddress)
      return members.value
    }
  }

  /// `users/discover`: finds users by any of their identities (POST), or returns all others that the
  /// container knows (GET), who stand for the contacts of the user.
  static func discoverUsers(_ body: inout RequestBody) throws -> Answer {
    let lookupInfos = try body.value("lookupInfos", [UserIdentity.LookupInfo].self)
    return { call in
      try checkScope(call)
      if call.method == "POST" {
        guard let lookupInfos else {
          throw WebError.missing("lookupInfos")
        }
        return try await users(lookupInfos, call)
      }
      let users = try await others(call).map { try json($0.identity) }
      return .object([.init("users", .array(users))])
    }
  }

  /// `users/lookup/…`: finds users by one of their identities.
  static func users(
    _ body: inout RequestBody, by read: (inout RequestBody) throws -> UserIdentity.LookupInfo
  ) throws -> Answer {
    let lookupInfos = try body.objects("users", read)
    return { call in
      try checkScope(call)
      return try await users(lookupInfos, call, hasNames: true)
    }
  }

  /// `users/lookup/contacts`: returns the other users that the container knows, who stand for the
  /// contacts of the user.
  ///
  /// Source: Apple's *CloudKit Web Services Reference*, "Fetching Contacts", which is deprecated.
  static func contacts(_ body: inout RequestBody) -> Answer {
    { call in
      try checkScope(call)
      let users = try await others(call).map { json(named: $0.identity) }
      return .object([.init("users", .array(users.map(\.value)))])
    }
  }

  /// Returns the users of the container except the caller.
  private static func others(_ call: EndpointCall) async throws -> [ContainerAccount] {
    let caller = try await call.requireUser().recordName
    return try call.served.container.accounts.filter { $0.userRecordName != caller }
  }

  /// Returns a response with the users that were found, in the order of the criteria.
  ///
  /// - Parameter hasNames: whether each has the members of a user dictionary, too.
  private static func users(
    _ lookupInfos: [UserIdentity.LookupInfo], _ call: EndpointCall, hasNames: Bool = false
  ) async throws -> JSONValue {
    let results = try await call.container.shareParticipants(for: lookupInfos)
    let users = try lookupInfos.compactMap { lookupInfo in
      try (try? results[lookupInfo]?.get()).map {
        try json($0.userIdentity, hasNames: hasNames)
      }
    }
    return .object([.init("users", .array(users))])
  }

  /// Users are looked up through the public database. Source: seen by MistKit, for `users/discover`
  /// on the private one.
  private static func checkScope(_ call: EndpointCall) throws {
    guard call.scope == .public else {
      throw WebError(.badRequest, "users are looked up through the public database")
    }
  }

  private static func caller(_ call: EndpointCall) async throws -> UserIdentity {
    let name = try await call.requireUser().recordName
    let account = try call.served.container.accounts.first { $0.userRecordName == name }
    return account?.identity ?? UserIdentity(userRecordName: name)
  }

  /// Returns the members of a user dictionary, which is older than identities.
  private static func json(named identity: UserIdentity) -> JSONObjectWriter {
    var members = JSONObjectWriter()
    members.add("userRecordName", identity.userRecordName)
    members.add("firstName", identity.nameComponents?.givenName)
    members.add("lastName", identity.nameComponents?.familyName)
    return members
  }

  private static func json(_ identity: UserIdentity, hasNames: Bool = false) throws -> JSONValue {
    var members = JSONObjectWriter()
    if hasNames {
      members = json(named: identity)
      members.add("emailAddress", identity.lookupInfo?.emailAddress)
    } else {
      members.add("userRecordName", identity.userRecordName)
    }
    try members.add("nameComponents", identity.nameComponents)
    try members.add("lookupInfo", identity.lookupInfo)
    return members.value
  }

  // MARK: Shares

  /// `records/resolve` returns metadata of shares, by their short identifiers. `records/accept`
  /// accepts the shares: their records are in the user's shared database from then on.
  static func shares(_ body: inout RequestBody, accepting: Bool) throws -> Answer {
    let links = try body.objects("shortGUIDs") { item in
      ShareLink(
        shortGUID: try item.required("value"),
        fetchesRoot: try item.value("shouldFetchRootRecord") ?? false,
        desiredKeys: try item.value("rootRecordDesiredKeys"))
    }
    return { call in
      let found = try await call.container.shareMetadatas(for: links.compactMap(\.url))
      var results: [JSONValue] = []
      for link in links {
        do {
          guard let url = link.url, let result = found[url] else {
            throw WebError(.notFound, "no share of the container has that short identifier")
          }
          var metadata = try result.get()
          if accepting {
            if let accepted = try await call.container.accept([metadata])[metadata] {
              metadata.share = try accepted.get()
            }
            metadata.participantStatus = .accepted
          }
          results.append(try await json(metadata, link, call))
        } catch {
          results.append(WebError(error).item([.init("shortGUID", .string(link.shortGUID))]))
        }
      }
      return .object([.init("results", .array(results))])
    }
  }

  /// Source: Apple's *CloudKit Web Services Reference*, "Accepting Share Records".
  private static func json(
    _ metadata: ShareMetadata, _ link: ShareLink, _ call: EndpointCall
  ) async throws -> JSONValue {
    let response = RecordResponse(call)
    var members = JSONObjectWriter()
    members.add(
      "shortGUID",
      .object([
        .init("value", .string(link.shortGUID)),
        .init("shouldFetchRootRecord", .bool(link.fetchesRoot)),
      ]))
    members.add("containerIdentifier", metadata.containerIdentifier ?? call.address.identifier)
    members.add("environment", call.address.environment.rawValue)
    let isOwner = metadata.participantRole == .owner
    members.add("databaseScope", isOwner ? "PRIVATE" : "SHARED")
    members.add("zoneID", RecordResponse.zoneID(metadata.share.recordID.zoneID))
    members.add("share", try response.record(metadata.share))
    members.add("ownerIdentity", try json(metadata.ownerIdentity))
    members.add("participantType", metadata.participantRole.rawValue)
    members.add("participantStatus", metadata.participantStatus.rawValue)
    members.add("participantPermission", metadata.participantPermission.rawValue)
    if let root = metadata.hierarchicalRootRecordID {
      members.add("rootRecordName", root.recordName)
      if link.fetchesRoot {
        let database = call.container.database(with: isOwner ? .private : .shared)
        let record = try await database.rootRecord(of: metadata)
        members.add(
          "rootRecord", try record.map { try response.record($0.keeping(fields: link.desiredKeys)) }
        )
      }
    }
    return members.value
  }
}

/// A share in a request, by its short identifier.
private struct ShareLink {
  var shortGUID: String
  var fetchesRoot: Bool
  var desiredKeys: [String]?

  var url: URL? { URL(string: Share.link(ofShortGUID: shortGUID)) }
}
