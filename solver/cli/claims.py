"""`noughts claims`: what the articles say, and what the solver computes."""

import argparse
import json
from typing import Any

from solver.cli.options import add_json


def add_command(commands: Any) -> None:
    """Adds the subcommand."""
    command = commands.add_parser("claims", help="check what the five articles claim, by computing it")
    command.add_argument("names", metavar="CLAIM", nargs="*", help="a claim such as clojure.draw, or an article (all)")
    add_json(command)
    command.set_defaults(run=_claims)


def _claims(options: argparse.Namespace) -> int:
    from solver.theory.claims import claims_named, examined, finding_report  # noqa: PLC0415 - with all of the theory

    findings = [examined(claim) for claim in claims_named(options.names)]
    if options.json:
        print(json.dumps([finding_report(finding) for finding in findings], ensure_ascii=False))
        return 0
    for finding in findings:
        claim, computation = finding.claim, finding.computation
        print(f"{claim.id}: {finding.verdict}\n  {claim.sentence}")
        if claim.published is not True:
            print(f"  published {json.dumps(claim.published, ensure_ascii=False)}")
        print(f"  computed {json.dumps(computation.computed, ensure_ascii=False)}\n  {computation.explanation}")
    return 0
