"""Measures opponents against each other: whole matches, mirrored, with intervals.

`python -m muggins_ai.arena A B --rules R --seats N --pairs K --seed S` plays them.
"""

from muggins_ai.arena.mirror import MirrorStudy, StudyResult, run_study

__all__ = ["MirrorStudy", "StudyResult", "run_study"]
