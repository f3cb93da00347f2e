"""What the site of these pages needs beyond Markdown: links to files outside of docs, which only the repository has."""

import re
from pathlib import Path
from posixpath import normpath

ROOT = Path(__file__).parent.parent
PLACEHOLDER = "https://github.com/OWNER/chatterbox"
LINK = re.compile(r"(\]\()(\.\./[^)\s#]+)")
LIST = re.compile(r"(?m)^((?![-*] |\d+\. |\||#|>|\s).+)\n(?=(?:- |1\. ))")


def repository():
    """The property scm of pom.xml."""
    return re.search(r"<scm.*?<url>(.*?)</url>", (ROOT / "pom.xml").read_text(), re.S)[1]


def on_config(config):
    # Not repo_url: with it the theme asks GitHub for stars.
    config.extra["social"] = [{"icon": "fontawesome/brands/git-alt", "link": repository(), "name": "The repository"}]
    return config


def on_post_build(config):
    """A page that is opened from a folder may not fetch a file, but may have it as a script."""
    figures = (ROOT / "docs" / "results" / "site.json").read_text()
    (Path(config.site_dir) / "site-data.js").write_text(f"window.CHATTERBOX = {figures};")


def on_page_markdown(markdown, page, **_):
    folder = "docs/" + page.file.src_uri.rpartition("/")[0]

    def outside(link):
        path = normpath(f"{folder}/{link[2]}")
        if path.startswith("docs/"):
            return link[0]
        if path == "README.md":
            return link[1] + repository()
        if not (ROOT / path).exists():
            return link[0]  # mkdocs warns of it
        kind = "tree" if (ROOT / path).is_dir() else "blob"
        return f"{link[1]}{repository()}/{kind}/main/{path}"

    return LIST.sub(r"\1\n\n", LINK.sub(outside, markdown.replace(PLACEHOLDER, repository())))
