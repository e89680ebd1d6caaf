"""The skills that all scanners get: picked from a folder by a seed, and copied, so that no path tells a label.

Nothing in a skill is run. Links are copied as links; the scanners say what they do with them.
"""

import dataclasses
import json
import pathlib
import random
import shutil
import subprocess

ROUNDS = pathlib.Path(__file__).resolve().parents[2] / "tests/fixtures/rounds"


@dataclasses.dataclass(frozen=True)
class Skill:
    """A skill where it lies; the label is None where the folder has no index."""

    folder: pathlib.Path
    label: str | None


def unpack_rounds(into):
    """The packed rounds that come with the tests, each as a folder of its own."""
    folders = []
    for packed in sorted(ROUNDS.glob("*.tar.zst")):
        folder = into / packed.name.removesuffix(".tar.zst")
        folder.mkdir()
        subprocess.run(["tar", "--zstd", "-xf", packed, "-C", folder], check=True)
        folders.append(folder)
    return folders


def find(corpus):
    """All skills of a folder in a fixed order: those of its index.jsonl, or else every folder with a SKILL.md."""
    index = corpus / "index.jsonl"
    if index.exists():
        units = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
        units.sort(key=lambda unit: unit["id"])
        skills = [Skill(corpus / unit["dir"], unit["label"]) for unit in units if "dir" in unit]
        return [skill for skill in skills if is_skill(skill.folder)]
    folders = sorted(main.parent for main in corpus.rglob("SKILL.md"))
    # A skill below a skill belongs to it.
    return [Skill(folder, None) for folder in folders if not any(map(is_skill, parents(folder, corpus)))]


def parents(folder, top):
    """The folders between a folder and the top, the top included."""
    return [above for above in folder.parents if above == top or top in above.parents]


def is_skill(folder):
    return (folder / "SKILL.md").is_file()


def pick(corpus, label, count, seed):
    """At most so many of the skills, of one label if one is named: the same for the same seed."""
    skills = [skill for skill in find(corpus) if label in (None, skill.label)]
    chosen = random.Random(seed).sample(range(len(skills)), min(count, len(skills)))
    return [skills[at] for at in sorted(chosen)]


def copy(skills, into):
    """The skills under names that tell nothing, in the order given."""
    copies = []
    for at, skill in enumerate(skills):
        folder = into / f"skill-{at:04}"
        shutil.copytree(skill.folder, folder, symlinks=True)
        copies.append(Skill(folder, skill.label))
    return copies
