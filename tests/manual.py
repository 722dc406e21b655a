"""The builder behind `make docs`: the documents and the library's reference as one site, in which every link leads on.

Guides are the Markdown files of the repository, and pages of modules are made of their docstrings by pdoc. A file that
a guide links to is part of the site. Whatever pdoc warns of is an error.
"""

import re
import shutil
import sys
import warnings
from importlib import import_module
from os.path import relpath
from pathlib import Path
from pkgutil import walk_packages

import pdoc
from pdoc.render_helpers import to_html

import solver

ROOT = Path(__file__).parent.parent
GUIDES = {
    "README.md": "index.html",
    "solver/docs/tasks.md": "solver/docs/tasks.html",
    "solver/cli/README.md": "solver/cli/README.html",
    "solver/players/README.md": "solver/players/README.html",
    "solver/articles/claims/README.md": "solver/articles/claims/README.html",
    "webapp/README.md": "webapp/README.html",
    "deploy/README.md": "deploy/README.html",
    "ARCHITECTURE.md": "ARCHITECTURE.html",
    "CONTRIBUTING.md": "CONTRIBUTING.html",
    "SECURITY.md": "SECURITY.html",
    "CHANGELOG.md": "CHANGELOG.html",
}
"""The pages of the guides, in the order of the menu."""

INSIDE = {f"solver.{part}" for part in ("articles", "cli", "kernel", "search", "pictures", "structs", "__main__")}
"""The parts of the solver that are no library: commands, content, drawings, and the engine."""


def module_names() -> list[str]:
    """Return the modules of the library."""
    found = (module.name for module in walk_packages(solver.__path__, "solver."))
    return ["solver", *(name for name in found if ".".join(name.split(".")[:2]) not in INSIDE)]


def build(output: Path) -> None:
    """Write the site into a folder."""
    warnings.simplefilter("error")
    # Some classes of the standard library are generic to type checkers alone.
    warnings.filterwarnings("ignore", "Error parsing type annotation .* is not subscriptable")
    for name in solver.__all__:  # pdoc reads only what is loaded
        setattr(solver, name, getattr(solver, name))
    pdoc.render.configure(template_directory=ROOT / "solver" / "docs", docformat="markdown", show_source=False)
    modules = module_names()
    # A package brings its modules along, unless it lists what it offers.
    asked = (name for name in modules if hasattr(import_module(name.rpartition(".")[0] or name), "__all__"))
    pdoc.pdoc(*asked, output_directory=output)
    titles = {page: heading(guide) for guide, page in GUIDES.items()}
    template = pdoc.render.env.get_template("page.html.jinja2")
    for guide, page in GUIDES.items():
        text = with_links(guide, to_html((ROOT / guide).read_text(encoding="utf-8")), output)
        target = output / page
        target.parent.mkdir(parents=True, exist_ok=True)
        root = "../" * page.count("/")
        shown = template.render(title=titles[page], pages=titles, modules=modules, root=root, text=text)
        target.write_text(shown, encoding="utf-8")


def heading(guide: str) -> str:
    """Return the first heading of a guide."""
    return (ROOT / guide).read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def with_links(guide: str, html: str, output: Path) -> str:
    """Let the links between files of the repository lead to pages of the site. Copy other files that are linked to."""

    def lead(match: re.Match[str]) -> str:
        attribute, path, rest = match.groups()
        place = (ROOT / guide).parent / path
        name = relpath(place, ROOT)
        if name not in GUIDES and place.is_file():
            (output / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place, output / name)
        there = relpath(GUIDES.get(name, name), Path(GUIDES[guide]).parent)
        return f'{attribute}="{there}{rest}"'

    return re.sub(r'(href|src)="([^":#?]+)([#?][^"]*|)"', lead, html)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
