"""Django looks for models here; each stands in its room."""

from reporting.figures.models import BucketLine, Posting, RollupCursor, Subject
from reporting.what_if.models import WhatIf
from reporting.worth.models import BetWorth, WagerValue

__all__ = ["BetWorth", "BucketLine", "Posting", "RollupCursor", "Subject", "WagerValue", "WhatIf"]
