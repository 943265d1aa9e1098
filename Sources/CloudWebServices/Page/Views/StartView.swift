import RecordPages

/// The containers, where there are several.
enum StartView {
  static func html(_ containers: [WebContainer]) -> HTML {
    let items = containers.map { container -> HTML in
      let path = PageContainerName(container).path + "/" + PageView.overview.rawValue
      let environment: HTML? = container.environment.map {
        " <span class=\"badge\">\($0.rawValue)</span>"
      }
      return """
        <li><a href="\(path)"><bdi>\(container.identifier ?? "Container")</bdi></a>\(environment)</li>
        """
    }
    return PageDocument(
      title: "Containers", header: "<p><strong>RecordPack</strong></p>",
      content: "<h1>Containers</h1>\n<ul>\n\(items)\n</ul>"
    ).html
  }
}
