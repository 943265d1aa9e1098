"""The pages of the package as the repository shows them: their titles, headings and links."""

import os
import re
from pathlib import Path

# The documentation of MockCloudKit has the name of the framework.
documented = {"MockCloudKit": "CloudKit"}


def without_code(text):
    """The text with its blocks of code empty; lines keep their numbers."""
    return re.sub(
        r"(?m)^([ \t]*)```.*?^\1```[ \t]*$",
        lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL)


def slug(heading):
    """The anchor of a heading in the repository, as GitHub makes it."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchor(heading):
    """The anchor of a heading on the site, as DocC makes it."""
    return re.sub(r"-+", "-", re.sub(r"[^\w\-]", "-", heading.replace("'", ""))).strip("-")


class Page:
    def __init__(self, root, path):
        self.root, self.path = root, path
        self.source = path.read_text()
        self.text = without_code(self.source)
        self.headings = re.findall(r"(?m)^#+ (.+?)\s*$", self.text)
        self.title = self.headings[0] if self.headings else path.stem
        if self.is_symbol:
            self.title = self.title.strip("`").split("/")[-1]
        self.is_top = "Documentation.docc" not in path.parts
        self.module = "" if self.is_top else path.relative_to(root).parts[1]

    @property
    def name(self):
        return self.path.stem

    @property
    def is_module(self):
        return self.name == self.module

    @property
    def is_symbol(self):
        """Whether the page belongs to a module or a type of it."""
        return bool(self.headings) and self.headings[0].startswith("``")

    @property
    def slugs(self):
        return {slug(heading): heading for heading in reversed(self.headings)}

    def link(self, other, heading=None):
        """A link from this page to another, with its title or that of a part of it."""
        path = os.path.relpath(other.path, self.path.parent) if other is not self else ""
        title = heading or (f"`{other.title}`" if other.is_symbol else other.title)
        return f"[{title}]({path}{'#' + slug(heading) if heading else ''})"

    def target(self, path):
        """The file of the package that a link's path leads to."""
        return Path(os.path.normpath(self.path.parent / path)) if path else self.path


def all_pages(root):
    """Every page: the Markdown files at the top of the package, of the examples, and of the modules."""
    paths = [root / name for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md")]
    paths += root.glob("Sources/*/Documentation.docc/**/*.md")
    return {path: Page(root, path) for path in sorted(paths) if path.exists()}
