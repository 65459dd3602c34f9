"""Measures opponents against each other: whole matches, mirrored, with intervals.

`muggins arena A B --rules R --seats N --pairs K --seed S` plays them, `muggins ladder` measures
each level against the next. Here alone is an agent that sees all hands.
"""

from muggins_ai.arena.mirror import run_study
from muggins_ai.arena.study import MirrorStudy, StudyResult

__all__ = ["MirrorStudy", "StudyResult", "run_study"]
