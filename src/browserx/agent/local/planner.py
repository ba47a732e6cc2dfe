"""A brain that follows plain instructions step by step, without a model."""

from collections.abc import Mapping
from typing import Any

from browserx.agent.brain import Decision, Step, Thinking
from browserx.agent.local.doing import Scene, another_way, move
from browserx.agent.local.grammar import MAX_STEPS
from browserx.agent.local.intents import Intent
from browserx.agent.local.moves import Act, Ask, First, Move, Need, Passed, Stuck
from browserx.agent.local.progress import Progress, heard, plan_of, recalled
from browserx.agent.local.say import doing
from browserx.agent.local.vocabulary import ENGLISH, Vocabulary
from browserx.agent.task import Judged
from browserx.semantic.call import call

#: An action is tried so often, the second time in another way where there is one.
_MOST_TRIES = 2


class LocalPlanner:
    """Follows plain instructions: "type X into Y, press Z, read W".

    It asks about what it does not understand before it does anything, names what fits equally well instead of
    guessing, and does not say that it is done when a step failed.
    """

    def __init__(self, vocabulary: Vocabulary = ENGLISH) -> None:
        self._vocabulary = vocabulary

    async def think(self, thinking: Thinking) -> Decision:
        """What to do next."""
        return decide(thinking, self._vocabulary)


def decide(thinking: Thinking, vocabulary: Vocabulary) -> Decision:
    """What to do next, from what is known and nothing else."""
    task = thinking.task
    progress = recalled(task.memory)
    was_answered = heard(progress, task.said, vocabulary)
    plan = plan_of(task.query, task.said, progress.edits, vocabulary)
    steps = None if progress.told and not was_answered else [_step(intent) for intent in plan]
    progress.told = True
    if not plan and not progress.edits:
        return _asking(progress, steps, 0, Ask(question="What is to be done?", missing="what to do"))
    if len(plan) > MAX_STEPS:
        return _too_long(progress)
    unclear = next((at for at, intent in enumerate(plan) if intent.kind == "unknown" and at >= progress.at), None)
    failed = _take_in(progress, plan, thinking.verification)
    if failed is not None:
        return _failing(progress, steps, plan, failed)
    while progress.at < len(plan):
        scene = Scene(plan[progress.at], thinking.view, progress, vocabulary)
        if unclear is not None:
            # Nothing is done of what is only half understood.
            scene = Scene(plan[unclear], thinking.view, progress, vocabulary)
        made = move(scene)
        if progress.tries and isinstance(made, Act):
            made = another_way(scene, made)
        if isinstance(made, Passed):
            _passed(progress, plan[progress.at], made)
            continue
        return _decided(progress, steps, plan, made, thinking, unclear)
    return _finishing(progress, steps)


def _too_long(progress: Progress) -> Decision:
    done = f" Done before: {'; '.join(progress.done)}." if progress.done else " Nothing of it was done."
    why = f"The instruction has more than {MAX_STEPS} steps, which is more than one task takes."
    return Decision(thought=why, call=call("fail"), answer=f"{why}{done} Say it in parts.", memory=progress.memory())


def _take_in(progress: Progress, plan: list[Intent], judged: Judged | None) -> str | None:
    """Go on where the last action went well; why not any further, where it failed for good."""
    sent, progress.sent = progress.sent, ""
    if sent != "action" or judged is None or progress.at >= len(plan):
        return None
    if judged.passed is False:
        progress.tries += 1
        return judged.message if progress.tries >= _MOST_TRIES else None
    if judged.passed is None:
        progress.unsure.append(doing(plan[progress.at]))
    progress.done.append(doing(plan[progress.at]))
    progress.next_step()
    return None


def _passed(progress: Progress, intent: Intent, made: Passed) -> None:
    progress.done.append(doing(intent))
    if made.answer is not None:
        progress.answers.append(made.answer)
    progress.next_step()


def _decided(
    progress: Progress,
    steps: list[Step] | None,
    plan: list[Intent],
    made: Move,
    thinking: Thinking,
    unclear: int | None,
) -> Decision:
    intent = plan[progress.at]
    match made:
        case Act():
            if str(made.call) in thinking.refused:
                why = thinking.verification.message if thinking.verification is not None else "it failed twice"
                return _failing(progress, steps, plan, why)
            progress.sent = "action"
            progress.field = made.field or progress.field
            again = "It did not work; once more: " if progress.tries else ""
            thought = f"{again}{doing(intent)}."
            return Decision(
                thought=thought[:1].upper() + thought[1:],
                call=made.call,
                expected=made.expected,
                **_common(progress, steps),
            )
        case First():
            progress.sent = "aside"
            return Decision(thought=f"{made.why}.", call=made.call, **_common(progress, steps))
        case Need():
            progress.asked.append(made.artifact)
            return Decision(
                thought=f"{made.why}.",
                needs=made.artifact,
                with_skeleton=made.with_skeleton,
                why=made.why,
                **_common(progress, steps),
            )
        case Ask():
            return _asking(progress, steps, progress.at if unclear is None else unclear, made)
        case Stuck():
            return _failing(progress, steps, plan, made.why)
        case Passed():
            raise AssertionError("a step that passed is no decision")


def _asking(progress: Progress, steps: list[Step] | None, at: int, made: Ask) -> Decision:
    progress.asking, progress.choices, progress.part = at, list(made.choices), made.part
    return Decision(
        thought="I have to ask.",
        call=call("askUser", question=made.question),
        missing=[made.missing],
        **_common(progress, steps),
    )


def _failing(progress: Progress, steps: list[Step] | None, plan: list[Intent], why: str) -> Decision:
    step = f"Step {progress.at + 1} of {len(plan)}, {doing(plan[progress.at])}, cannot be done: {why}."
    before = f" Done before: {'; '.join(progress.done)}." if progress.done else ""
    read = f" Read: {_joined(progress.answers)}" if progress.answers else ""
    answer = f"{step}{before}{read}"
    return Decision(thought=step, call=call("fail"), answer=answer, **_common(progress, steps))


def _finishing(progress: Progress, steps: list[Step] | None) -> Decision:
    answer = _joined(progress.answers) if progress.answers else f"Done: {'; '.join(progress.done)}."
    if progress.unsure:
        answer += f"\nNothing tells whether this had an effect: {'; '.join(progress.unsure)}."
    progress.at = max(0, progress.at - 1)
    return Decision(thought="All steps are done.", call=call("finish"), answer=answer, **_common(progress, steps))


def _joined(answers: list[str]) -> str:
    return "\n".join(answers)


def _common(progress: Progress, steps: list[Step] | None) -> Mapping[str, Any]:
    return {"steps": steps, "current": progress.at, "memory": progress.memory()}


def _step(intent: Intent) -> Step:
    said = doing(intent)
    reading = intent.kind in ("read", "see")
    return Step(description=said[:1].upper() + said[1:], tool_type="SERVER" if reading else "DOM")
