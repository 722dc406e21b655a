"""`noughts claims`: what the articles say, and what the solver computes."""

import json
from argparse import Namespace

from solver.cli.command import JSON, argument, command


@command(
    "claims",
    "Checks what the five articles claim, by computing it.",
    "noughts claims clojure.draw scala.unbeatable",
    argument("names", metavar="CLAIM", nargs="*", help="a claim such as clojure.draw, or an article (all)"),
    JSON,
)
def claims_command(options: Namespace) -> int:
    """Prints each finding as soon as it is computed, so that Ctrl-C leaves those that there are."""
    from solver.articles.claims import claims_named, examined, finding_report

    for claim in claims_named(options.names):
        finding = examined(claim)
        if options.json:
            print(json.dumps(finding_report(finding)), flush=True)
            continue
        computation = finding.computation
        print(f"{claim.id}: {finding.verdict}\n  {claim.sentence}")
        if claim.published is not True:
            print(f"  published {json.dumps(claim.published, ensure_ascii=False)}")
        print(
            f"  computed {json.dumps(computation.computed, ensure_ascii=False)}\n  {computation.explanation}",
            flush=True,
        )
    return 0
