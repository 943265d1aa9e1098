import Dispatch
import Foundation
import RecordPages
import RecordStore

extension WebServicesHandler {
  /// Handles a request for the page. Errors are pages, too.
  func show(_ route: PageRoute, _ request: WebRequest) async -> WebResponse {
    var response: WebResponse
    do {
      response = try await answer(route, request)
    } catch {
      response = Self.page(about: error)
    }
    for (name, value) in Self.pageHeaders { response.headers[name] = value }
    return response
  }

  private func answer(_ route: PageRoute, _ request: WebRequest) async throws -> WebResponse {
    if case .action(let name, let action) = route {
      return try await act(action, try served(name), request)
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      throw WebError(.badRequest, "the method of a page is GET")
    }
    let (served, view): (WebContainer, PageView)
    switch route {
    case .script(let text):
      return WebResponse(
        status: 200, headers: ["Content-Type": "text/javascript; charset=UTF-8"],
        body: Data(text.utf8))
    case .icon: return WebResponse(status: 204)
    case .start:
      guard containers.count == 1 else { return WebResponse(html: StartView.html(containers)) }
      (served, view) = (containers[0], .overview)
    case .view(let name, let named): (served, view) = (try self.served(name), named)
    case .action: return WebResponse(status: 404)
    }
    let baseURL = Self.baseURL(of: request)
    return try await Self.read {
      try ConsoleRequest(self, served, view, request, baseURL: baseURL).response()
    }
  }

  /// Reads for a view. Reading waits for the disk, and so not on a thread of Swift's tasks. A new queue gets
  /// a thread at once. A global queue has one thread for each core, and all of them can be waiting.
  private static func read<T: Sendable>(
    _ body: @escaping @Sendable () throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "RecordPack.page").async {
        continuation.resume(with: Result { try body() })
      }
    }
  }

  private func context(
    _ container: WebContainer, _ view: PageView, _ request: WebRequest
  ) throws -> ConsoleRequest {
    let baseURL = Self.baseURL(of: request)
    let context = ConsoleRequest(self, container, view, request, baseURL: baseURL)
    try context.refresh()
    return context
  }

  private func served(_ name: PageContainerName) throws -> WebContainer {
    guard let found = containers.first(where: { PageContainerName($0) == name }) else {
      throw WebError(.notFound, "there is no such container")
    }
    return found
  }

  /// A page may load nothing but its own script, and be shown in no other page.
  private static let pageHeaders = [
    "Content-Security-Policy":
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; img-src 'self'; "
      + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
    // With `no-referrer`, browsers send forms without the origin that is checked.
    "Referrer-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
  ]

  private static func page(about error: any Error) -> WebResponse {
    // The details may quote a value.
    let damage = (error as? ContainerStoreError)?.descriptionWithoutDetail
    let error = WebError(error)
    let reason = damage ?? error.reason
    let html = StartView.page(
      "Error", link: "<a href=\"/\">Overview</a>",
      "<h1>This page cannot be shown</h1>\n<p class=\"problem\">\(reason)</p>")
    var response = WebResponse(html: html, status: error.status)
    response.headers["Retry-After"] = error.retryAfterSeconds.map { String($0) }
    return response
  }
}

extension WebResponse {
  /// A file to save.
  ///
  /// - Parameter name: the name, of which headers get letters, digits and dots of ASCII.
  init(file name: String, _ format: String, _ mediaType: String, _ content: Data) {
    let name = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
    let fileName = "\(name.isEmpty ? "Records" : name).\(format)"
    self.init(
      status: 200,
      headers: [
        "Content-Type": mediaType, "Content-Disposition": "attachment; filename=\"\(fileName)\"",
      ], body: content)
  }

  /// A response that leads to another page.
  init(to path: String) { self.init(status: 303, headers: ["Location": path]) }

  init(html: HTML, status: Int = 200) {
    self.init(
      status: status, headers: ["Content-Type": "text/html; charset=UTF-8"],
      body: Data(html.text.utf8))
  }
}

extension ConsoleRequest {
  /// The view, or a page in its place as long as something is made that the view needs.
  fileprivate func response() throws -> WebResponse {
    do {
      try refresh(waits: PageView.files.contains(view))
      return try shown()
    } catch let missing as UnfinishedCopy {
      return WebResponse(html: waiting(for: missing))
    } catch let missing as MissingIndex {
      if try handler.background.make(missing, in: store) { return try response() }
      return WebResponse(html: waiting(for: missing))
    }
  }

  /// The page in place of a view that needs something that is being made.
  func waiting(for missing: some CustomStringConvertible) -> HTML {
    page(
      view.title,
      live: """
        <p class="empty" id="waiting">This view needs \("\(missing)"), which is being made. \
        The view will be here in a moment.</p>
        """)
  }

  private func shown() throws -> WebResponse {
    if PageView.editing.contains(view) { try requireEditing() }
    return switch view {
    case .overview: WebResponse(html: try OverviewView(context: self).html())
    case .records: try RecordTableView(context: self).response()
    case .record: WebResponse(html: try RecordDetailView(context: self).html())
    case .asset: try AssetFileView(context: self).response()
    case .export: try RecordExport(context: self).response()
    case .changes: WebResponse(html: try ChangesView(context: self).html())
    case .requests: WebResponse(html: try RequestsView(context: asNamed()).html())
    case .notifications: WebResponse(html: try NotificationsView(context: self).html())
    case .shares: WebResponse(html: try SharesView(context: self).html())
    case .schema: WebResponse(html: try SchemaView(context: self).html())
    case .faults: WebResponse(html: try FaultsView(context: self).html())
    case .edit: WebResponse(html: try RecordFormView(context: self).html())
    case .delete: WebResponse(html: try DeletionView(context: self).html())
    case .zones: WebResponse(html: try ZonesView(context: self).html())
    case .users: WebResponse(html: try UsersView(context: self).html())
    case .sharing: WebResponse(html: try SharingView(context: self).html())
    case .search: try SearchView(context: self).response()
    case .find: try ReferenceSearch(context: self).response()
    }
  }
}

extension ConsoleRequest {
  /// The request as the user whom the address names: the one whose form was sent.
  private func asNamed() throws -> ConsoleRequest {
    guard let choice = value("as") else { return self }
    var named = self
    try named.act(as: ConsoleActor(choice, in: served), waits: false)
    return named
  }
}

extension WebServicesHandler {
  /// Carries out a form of the page, as the request of a test would.
  ///
  /// - Throws: ``WebError``: `ACCESS_DENIED` for a form that is not on the page itself.
  func act(
    _ action: PageAction, _ served: WebContainer, _ request: WebRequest
  ) async throws -> WebResponse {
    try check(action, request)
    let isEditing = action.kind == .editing
    let form = try ConsoleForm(request, maxSize: isEditing ? ConsoleForm.maxSize : 64 << 10)
    switch action.kind {
    case .editing: return try await edit(action, served, form, request)
    case .control: return try await control(action, served, form, request)
    case .reading:
      return try await Self.read {
        var context = try self.context(served, .records, request)
        (context.items, context.isForm) = (form.items, true)
        return try RecordTableView(context: context).sent()
      }
    }
  }

  private func check(_ action: PageAction, _ request: WebRequest) throws {
    let isThere =
      switch action.kind {
      case .reading: page != .none
      case .editing: page == .withServices
      case .control: page == .withServices && admin != nil
      }
    guard isThere else { throw WebError(.notFound, "the path leads nowhere") }
    guard request.method == "POST" else {
      throw WebError(.badRequest, "the method of a form is POST")
    }
    guard Self.isFromPage(request) else {
      throw WebError(.accessDenied, "the form is not on this page")
    }
  }

  /// Carries out a form that controls the server.
  private func control(
    _ action: PageAction, _ served: WebContainer, _ form: ConsoleForm, _ request: WebRequest
  ) async throws -> WebResponse {
    guard let admin else { throw WebError(.notFound, "the path leads nowhere") }
    switch action {
    case .reset: try reset(served)
    case .snapshot:
      guard try await !Self.read({ try self.context(served, .overview, request) }).isPart else {
        throw WebError(.badRequest, "a bundle has the whole container; show the whole container")
      }
      return WebResponse(
        file: served.identifier ?? "Container", "recordpack", "application/octet-stream",
        try admin.snapshot(served.container))
    case .clock:
      guard let time = ClockTime(try form.required("advance"), after: admin.clock.now) else {
        throw WebError(
          .badRequest,
          "the clock takes seconds, or a later time: 'tomorrow 9:00', '2027-01-31 18:00', '17:30'; "
            + "times are those of UTC")
      }
      admin.clock.advance(by: time.seconds)
    case .addFault:
      do {
        _ = try admin.faults.add(try WebFault(form: form))
      } catch {
        let error = WebError(error)
        var context = try context(served, .faults, request)
        context.isForm = true
        let view = FaultsView(context: context, entered: form, problem: error.reason)
        return WebResponse(html: try view.html(), status: error.status)
      }
    case .removeFault:
      guard let id = Int(try form.text("fault")), admin.faults.remove(id) else {
        throw WebError(.notFound, "the fault is not there any more")
      }
    case .replay: try await replay(try form.text("number"), request)
    case .clearFaults: admin.faults.clear()
    case .release: _ = admin.faults.release(try form.value("id").flatMap { Int($0) })
    case .clearRequests: log.clear()
    default: throw WebError(.notFound, "the path leads nowhere")
    }
    let path = PageContainerName(served).path + "/\(action.view.rawValue)"
    return WebResponse(to: "\(path)?\(ConsoleRequest.noticeName)=\(action.rawValue)")
  }

  /// Sends a request of the log again, as the same user.
  private func replay(_ number: String, _ page: WebRequest) async throws {
    let entry = log.entries.first { String($0.number) == number }
    guard let entry, let bodies = log.bodies(of: entry.number),
      case .endpoint(_, let address, _)? = try? WebRoute(entry.path)
    else { throw WebError(.notFound, "the request, or its body, is not there any more") }
    let query = try query(of: entry.user, to: container(at: address), address)
    var request = WebRequest(entry.method, "\(entry.path)?\(query)", body: bodies.request)
    request.headers["Host"] = page.headers["Host"]
    _ = await respond(to: request)
  }

  /// Carries out a form that changes records, zones or shares.
  private func edit(
    _ action: PageAction, _ served: WebContainer, _ form: ConsoleForm, _ request: WebRequest
  ) async throws -> WebResponse {
    let context = try await Self.read {
      var context = ConsoleRequest(self, served, .edit, request, baseURL: Self.baseURL(of: request))
      // The form names the user, whatever the cookie says by now.
      try context.act(as: ConsoleActor(try form.value("as"), in: served))
      try context.requireEditing()
      return context
    }
    return try await EditingActions(context: context, action: action, form: form).response()
  }

  /// Whether a form is on a page of this very server. Other servers of this machine are other origins.
  ///
  /// Forms need no token. A browser names the origin of each request whose method is neither GET nor
  /// HEAD (Fetch standard, "`Origin` header"), and no page can change that header. A token proves
  /// the same: that the page with the form is ours. Go's `http.CrossOriginProtection` and OWASP's
  /// "Cross-Site Request Forgery Prevention" decide by these headers, too. They accept a request
  /// without an origin; the console does not. A page of a name that was made to lead here has its
  /// own origin as its host, and ``WebOrigins`` rejects the host.
  private static func isFromPage(_ request: WebRequest) -> Bool {
    guard let origin = request.headers["Origin"], let host = request.headers["Host"],
      // Browsers send it to hosts that they trust, such as this machine (Fetch Metadata Request Headers).
      request.headers["Sec-Fetch-Site"] ?? "same-origin" == "same-origin"
    else { return false }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}

/// Whether a handler has a page to look at its containers with, at `/`.
///
/// The page shows all that a container holds to whoever reaches the handler, without a token. Values
/// of encrypted fields are covered until somebody asks for them.
package enum WebPage: Sendable {
  /// No page.
  case none
  /// The page, beside the requests of CloudKit Web Services.
  case withServices
  /// The page alone: nothing can be changed.
  case alone
}
