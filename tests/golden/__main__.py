"""The command behind `./dev golden`."""

import argparse

import django

DESCRIPTION = """\
Make every golden file anew that the product itself defines, so that a change of the product shows
as a diff to review; the last lines are `git diff --stat` of them. A golden is a record of what is,
never a proof of right. The files in tests/data/golden/ are not among them: the customer gave them,
they are the authority, and they are never regenerated."""


def main() -> None:
    """Make them all."""
    argparse.ArgumentParser(
        prog="./dev golden",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()
    django.setup()
    # The product cannot be imported before the set-up.
    from tests.golden.regeneration import regenerate, show_diff  # noqa: PLC0415
    from tests.golden.registry import GOLDENS, ROOT  # noqa: PLC0415

    regenerate(GOLDENS, root=ROOT)
    show_diff(GOLDENS, root=ROOT)


if __name__ == "__main__":
    main()
