"""SkillGate and other scanners over the same skills: time, memory, and what each flags where labels are known.

Each skill goes to one scanner after the other, who is first in turn changing, so that a noisy machine is noisy for
all of them. Then each gets the whole folder. The tables are Markdown, made for docs/eval.md. See README.md.
"""

import argparse
import collections
import pathlib
import statistics
import sys
import tempfile

import measure
import scanners
import skills

TARGET = pathlib.Path(__file__).resolve().parents[2] / "target/peers"


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        work = pathlib.Path(folder)
        home = work / "home"
        home.mkdir()
        present = prepare(options.scanner, home)
        if options.folders:
            corpora = [pathlib.Path(name).resolve() for name in options.folders]
        else:
            corpora = skills.unpack_rounds(work)
        print(f"\nPeak memory cannot be told below {measure.floor() >> 10} MiB. p99 of n runs is the n-th where n < 100.\n")
        print(HEADING)
        for corpus in corpora:
            compare(corpus, present, options, work)


def arguments():
    parser = argparse.ArgumentParser(prog="benches/peers/run", description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", metavar="DIR", help="skills, labelled by an index.jsonl or not; else the packed rounds")
    parser.add_argument("--skills", type=int, default=200, metavar="N", help="skills of each folder at most (200)")
    parser.add_argument("--timed", type=int, metavar="N", help="time only so many of them one by one (all)")
    parser.add_argument("--seed", type=int, default=1, help="which of them (1)")
    parser.add_argument("--label", choices=["benign", "malicious"], help="only skills of this label")
    parser.add_argument("--limit", type=int, default=300, metavar="SECONDS", help="for one run; a slower one has failed (300)")
    parser.add_argument("--scanner", action="append", metavar="NAME", help="only this one, as it is named in the table; repeatable")
    return parser.parse_args()


def prepare(wanted, home):
    """Those that are there or could be installed; the others are named with the reason."""
    present = []
    for scanner in scanners.all_scanners(TARGET):
        if wanted and scanner.name not in wanted:
            continue
        try:
            scanner.prepare(home)
            version = scanner.version()
        except scanners.Unavailable as reason:
            print(f"- {scanner.name}: left out. {reason}")
            continue
        print(f"- {scanner.name}: {version}; flags by {scanner.threshold}")
        present.append(scanner)
    if not present:
        sys.exit("no scanner to measure: see the reasons above")
    return present


def compare(corpus, present, options, work):
    """The rows of one folder."""
    chosen = skills.pick(corpus, options.label, options.skills, options.seed)
    if not chosen:
        sys.exit(f"{corpus}: no skills there; a skill is a folder with a SKILL.md")
    environment = scanners.environment(work / "home")

    def start(command):
        return measure.run(command, environment, work / "home", options.limit)

    with tempfile.TemporaryDirectory(dir=work) as folder:
        copies = skills.copy(chosen, pathlib.Path(folder))
        timed = copies if options.timed is None else spread(copies, options.timed)
        runs = one_by_one(timed, present, start)
        for scanner in present:
            whole = start(scanner.many(folder))
            verdicts = all_verdicts(scanner, copies, runs[scanner.name], whole, start)
            print(row(corpus.name, scanner, copies, list(runs[scanner.name].values()), whole, verdicts), flush=True)
            tell_failures(corpus.name, scanner, runs[scanner.name], whole)


def spread(copies, count):
    """So many of them at even distances, since neighbours are often alike."""
    count = max(1, min(count, len(copies)))
    return [copies[at * len(copies) // count] for at in range(count)]


def one_by_one(copies, present, start):
    """A run of each scanner on each skill, by the scanner's name; one before that, for the caches, does not count."""
    for scanner in present:
        start(scanner.one(copies[0].folder))
    runs = collections.defaultdict(dict)
    for at, skill in enumerate(copies):
        first = at % len(present)
        for scanner in present[first:] + present[:first]:
            runs[scanner.name][skill.folder.name] = start(scanner.one(skill.folder))
        if at % 20 == 0:
            print(f"{at} of {len(copies)} skills", file=sys.stderr, flush=True)
    return runs


def all_verdicts(scanner, copies, runs, whole, start):
    """The verdict on every skill: of its own run, else of the folder's run, else of a run that is not timed."""
    in_folder = scanner.flagged_in_folder(whole)

    def verdict(skill):
        name = skill.folder.name
        if name in runs:
            return scanner.flagged(runs[name])
        if in_folder is not None:
            return in_folder.get(name)
        return scanner.flagged(start(scanner.one(skill.folder)))

    return [verdict(skill) for skill in copies]


HEADING = """\
| skills | scanner | timed | median | p99 | processor, median | memory | whole folder | memory | attacks flagged | honest flagged | failed |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def row(name, scanner, copies, runs, whole, verdicts):
    seconds = [run.seconds for run in runs]
    cells = [
        f"{name}, {len(copies)}",
        scanner.name,
        str(len(runs)),
        duration(statistics.median(seconds)),
        duration(measure.percentile(seconds, 0.99)),
        duration(statistics.median(run.cpu for run in runs)),
        mebibytes(max(run.peak_kib for run in runs)),
        duration(whole.seconds) if ended(whole) else "failed",
        mebibytes(whole.peak_kib) if ended(whole) else "-",
        share(copies, verdicts, "malicious"),
        share(copies, verdicts, "benign"),
        str(verdicts.count(None)),
    ]
    return f"| {' | '.join(cells)} |"


def ended(whole):
    """Whether a run over a folder came to an end of its own: scanners exit with 1 where they flag something."""
    return whole.code in (0, 1, 3)


def share(copies, verdicts, label):
    """How many of a label are flagged; what failed counts among the rest, and is told beside."""
    of = [verdict for skill, verdict in zip(copies, verdicts, strict=True) if skill.label == label]
    return f"{sum(verdict is True for verdict in of)} of {len(of)}" if of else "-"


def tell_failures(name, scanner, runs, whole):
    """The first failures in the scanner's own words, since a number alone helps nobody."""
    failed = [(skill, run) for skill, run in runs.items() if scanner.flagged(run) is None]
    failed += [] if ended(whole) else [("the whole folder", whole)]
    for where, run in failed[:3]:
        how = "ran out of time" if run.code is None else f"exit code {run.code}"
        said = run.complaint.splitlines()[-1] if run.complaint else "nothing on stderr"
        print(f"{scanner.name}, {name}, {where}: {how}: {said}", file=sys.stderr)


def duration(seconds):
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def mebibytes(kib):
    return f"{kib / 1024:.0f} MiB"


if __name__ == "__main__":
    main()
