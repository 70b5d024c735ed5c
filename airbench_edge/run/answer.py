"""The first stage: every item that has no answer yet is put to the audio-LM, and what it says is written down raw."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing

from airbench_edge.audiolm.contract import AudioLM, ModelError, Prompted
from airbench_edge.benchmark.dataset import DataSet
from airbench_edge.benchmark.items import FoundationItem, Item
from airbench_edge.benchmark.prompts import chat_prompt, foundation_prompt
from airbench_edge.benchmark.records import Response, State
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.run.folder import RESPONSES
from airbench_edge.run.journal import Journal
from airbench_edge.run.machine import note_machine
from airbench_edge.run.open_run import OpenRun
from airbench_edge.run.progress import Outcome, Progress, Silent, Stage, Step, letter_outcome
from airbench_edge.run.sounds import NoSound, Sound, with_sounds
from airbench_edge.run.stage import Summary, watched


def answer(run: OpenRun, model: AudioLM, data: DataSet, progress: Progress | None = None) -> Summary:
    """Answer what is not answered yet; items that failed before, for whatever reason, are tried again.

    Args:
        run: The run, open for writing.
        model: The audio-LM.
        data: Knows where the clips are; not asked for a model that needs no audio.
        progress: Who watches.

    Raises:
        InputError: The run folder is damaged or cannot be written.
    """
    with Journal(run.path / RESPONSES, Response) as journal:
        stored = {response.key: response for response in journal.records}
        todo = [item for item in run.items if item.key not in stored or stored[item.key].state is not State.ANSWERED]
        summary = Summary(planned=len(run.items), already=len(run.items) - len(todo))
        with (
            watched(run.path, Stage.ANSWER, model.identity.name, summary, progress or Silent()) as took,
            closing(_sounds(todo, data, model.sample_rate)) as sounds,
        ):
            for item, sound in sounds:
                response = respond(model, item, sound, run.manifest.prompt)
                is_new = response != stored.get(item.key)
                if is_new and not summary.written:
                    note_machine(run.path, model.providers)
                if is_new:
                    journal.append(response)
                took(Step(item.key.track, item.folder, _outcome(item, response), response.heard_s or 0.0), is_new)
    return summary


def _sounds(
    todo: Sequence[Item], data: DataSet, sample_rate: int | None
) -> Generator[tuple[Item, Sound | None], None, None]:
    if sample_rate is None:
        yield from ((item, None) for item in todo)
    else:
        yield from with_sounds(todo, data, sample_rate)


def respond(model: AudioLM, item: Item, sound: Sound | None, rules: RulesName) -> Response:
    """Put one item to the audio-LM; whatever goes wrong is a state of the response.

    Args:
        model: The audio-LM.
        item: The item.
        sound: Its clip, or why there is none; None for a model that needs no audio.
        rules: Wording of the foundation prompt.
    """
    track, uniq_id = item.key
    if isinstance(sound, NoSound):
        return Response(track, uniq_id, sound.state, reason=sound.reason)
    prompt = foundation_prompt(item, rules) if isinstance(item, FoundationItem) else chat_prompt(item)
    waveform, duration_s, warnings = (sound.waveform, sound.duration_s, sound.warnings) if sound else (None, None, ())
    try:
        said = model.answer(Prompted(item.key, prompt, f"{track}/{item.folder}/{item.path}", waveform))
    except ModelError as error:
        return Response(track, uniq_id, State.FAILED, reason=str(error), duration_s=duration_s, warnings=warnings)
    if said.text is None:
        return Response(track, uniq_id, State.NOT_RECORDED)
    return Response(
        track,
        uniq_id,
        State.ANSWERED,
        text=said.text,
        finish=said.finish,
        duration_s=duration_s,
        heard_s=said.heard_s,
        warnings=warnings,
    )


def _outcome(item: Item, response: Response) -> Outcome:
    if isinstance(item, FoundationItem):
        return letter_outcome(item, response.text)
    return Outcome.FAILED if response.text is None else Outcome.DONE
