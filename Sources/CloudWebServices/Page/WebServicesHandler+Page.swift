import Dispatch
import Foundation
import RecordArchive
import RecordPages
import RecordStore

extension WebServicesHandler {
  /// Answers a request for the page. Errors are pages, too.
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
    let context: PageContext
    switch route {
    case .script:
      return WebResponse(
        status: 200, headers: ["Content-Type": "text/javascript; charset=UTF-8"],
        body: Data(PackageResources.page_js))
    case .icon: return WebResponse(status: 204)
    case .start:
      guard containers.count == 1 else { return WebResponse(html: StartView.html(containers)) }
      context = self.context(containers[0], .overview, request)
    case .view(let name, let view):
      context = self.context(try served(name), view, request)
    case .action: return WebResponse(status: 404)
    }
    // Reading waits for the disk, and so not on a thread of Swift's tasks.
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try context.response() })
      }
    }
  }

  private func context(
    _ container: WebContainer, _ view: PageView, _ request: WebRequest
  ) -> PageContext {
    PageContext(
      handler: self, served: container, view: view, items: PageContext.items(of: request),
      baseURL: Self.baseURL(of: request))
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
    let reason: String
    switch error as? ContainerStoreError {
    // The detail may quote a value.
    case .unreadable(let name, _): reason = "\(name) cannot be read"
    case let error?: reason = error.description
    case nil: reason = WebError(error).reason
    }
    let error = WebError(error)
    let html = PageDocument(
      title: "Error",
      header: "<nav aria-label=\"Views\"><ul><li><a href=\"/\">Overview</a></li></ul></nav>",
      content: "<h1>This page cannot be shown</h1>\n<p class=\"problem\">\(reason)</p>"
    ).html
    return WebResponse(html: html, status: error.status)
  }
}

extension WebResponse {
  init(html: HTML, status: Int = 200) {
    self.init(
      status: status, headers: ["Content-Type": "text/html; charset=UTF-8"],
      body: Data(html.text.utf8))
  }
}

extension PageContext {
  fileprivate func response() throws -> WebResponse {
    switch view {
    case .overview: WebResponse(html: try OverviewView(context: self).html())
    case .records: WebResponse(html: try RecordTableView(context: self).html())
    case .record: WebResponse(html: try RecordDetailView(context: self).html())
    case .asset: try AssetFileView(context: self).response()
    case .changes: WebResponse(html: try ChangesView(context: self).html())
    case .requests: WebResponse(html: try RequestsView(context: self).html())
    case .notifications: WebResponse(html: try NotificationsView(context: self).html())
    case .shares: WebResponse(html: try SharesView(context: self).html())
    case .schema: WebResponse(html: try SchemaView(context: self).html())
    case .faults: WebResponse(html: try FaultsView(context: self).html())
    }
  }
}
