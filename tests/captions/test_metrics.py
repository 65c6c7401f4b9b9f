"""BLEU, ROUGE-L, CIDEr and METEOR: equal to what other programs gave, and to their definitions."""

import math
import pickle
from collections import Counter, defaultdict
from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.records import InputError, MissingExtraError
from fathom.scoring.metrics.captions.bleu import bleu_counts, bleu_of
from fathom.scoring.metrics.captions.cider import DocumentFrequencies, cider, read_frequencies
from fathom.scoring.metrics.captions.meteor import meteor_counts, meteor_nltk, meteor_of
from fathom.scoring.metrics.captions.ngrams import count_ngrams
from fathom.scoring.metrics.captions.rouge import rouge_l
from fathom.scoring.metrics.captions.wordnet import open_wordnet
from tests.captions.conftest import from_environment
from tests.captions.recorded import BY_CAPTION, FREQUENCIES, OF_ALL, PAIRS, PTB_REFERENCE_WORDS, PTB_WORDS

WORDS = {
    "coco": ([c.split() for c in PTB_WORDS], [[r.split() for r in refs] for refs in PTB_REFERENCE_WORDS]),
    "plain": ([c.split() for c, _ in PAIRS], [[r.split() for r in refs] for _, refs in PAIRS]),
}
KNOWN = DocumentFrequencies("of 40", math.log(40), {tuple(w.split()): n for w, n in FREQUENCIES.items()})

sentences = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=9)
corpora = st.lists(st.tuples(sentences, st.lists(sentences, min_size=1, max_size=4)), min_size=1, max_size=6)


@pytest.mark.parametrize("words", WORDS)
def test_bleu_is_that_of_the_coco_evaluation(words: str) -> None:
    counts = bleu_counts(count_ngrams(*WORDS[words]))
    for n in range(4):
        assert bleu_of(counts)[:, n] == pytest.approx(BY_CAPTION[f"{words} bleu_{n + 1}"], abs=1e-12)
        assert bleu_of(counts.sum(axis=0))[n] == pytest.approx(OF_ALL[f"{words} bleu_{n + 1}"], abs=1e-12)


def test_corpus_bleu_is_that_of_sacrebleu_up_to_the_tiny_numbers() -> None:
    counts = bleu_counts(count_ngrams(*WORDS["plain"]))
    assert bleu_of(counts.sum(axis=0))[3] == pytest.approx(OF_ALL["plain bleu_4 by sacrebleu"], abs=1e-9)


@pytest.mark.parametrize("words", WORDS)
def test_rouge_l_is_that_of_the_coco_evaluation(words: str) -> None:
    assert rouge_l(*WORDS[words]) == pytest.approx(BY_CAPTION[f"{words} rouge_l"], abs=1e-12)


@pytest.mark.parametrize("words", WORDS)
def test_cider_d_is_that_of_the_coco_evaluation(words: str) -> None:
    found = cider(count_ngrams(*WORDS[words]), clipped=True)
    assert found == pytest.approx(BY_CAPTION[f"{words} cider_d"], abs=1e-12)


def test_plain_cider_reads_given_document_frequencies() -> None:
    found = cider(count_ngrams(*WORDS["coco"]), KNOWN)
    assert found == pytest.approx(BY_CAPTION["plain cider with frequencies"], abs=1e-12)


def test_over_one_document_every_weight_is_zero_and_so_is_cider() -> None:
    assert cider(count_ngrams([["a", "dog"]], [[["a", "dog"]]]), clipped=True).tolist() == [0.0]


def test_repeating_words_raises_plain_cider_no_further_than_the_cosine_and_cider_d_falls() -> None:
    references = [[["a", "dog", "runs", "fast"]], [["one", "car"]], [["some", "ball"]]]
    once = [["a", "dog", "runs", "fast"], ["x"], ["x"]]
    twice = [once[0] * 3, ["x"], ["x"]]
    assert cider(count_ngrams(twice, references))[0] <= cider(count_ngrams(once, references))[0] + 1e-9
    clipped = [cider(count_ngrams(c, references), clipped=True)[0] for c in (once, twice)]
    assert clipped[1] < clipped[0]


@given(corpora)
def test_fast_bleu_is_bleu_by_its_definition(corpus: list[tuple[list[str], list[list[str]]]]) -> None:
    counts = bleu_counts(count_ngrams([c for c, _ in corpus], [r for _, r in corpus]))
    for row, (candidate, references) in enumerate(corpus):
        for n in range(1, 5):
            mine = grams(candidate, n)
            most = {g: max(grams(r, n)[g] for r in references) for g in mine}
            assert counts[row, n - 1] == sum(min(k, most[g]) for g, k in mine.items())
            assert counts[row, 3 + n] == max(0, len(candidate) - n + 1)
        lengths = sorted(map(len, references), key=lambda n: (abs(n - len(candidate)), n))
        assert counts[row, 9] == lengths[0]


@given(corpora, st.booleans())
def test_fast_cider_is_cider_by_its_definition(
    corpus: list[tuple[list[str], list[list[str]]]], clipped: bool
) -> None:
    found = cider(count_ngrams([c for c, _ in corpus], [r for _, r in corpus]), clipped=clipped)
    documents = [{g for r in refs for n in range(1, 5) for g in grams(r, n)} for _, refs in corpus]

    def vector(words: list[str], n: int) -> dict[tuple[str, ...], float]:
        idf = {g: math.log(len(corpus) / max(1, sum(g in d for d in documents))) for g in grams(words, n)}
        return {g: k * idf[g] for g, k in grams(words, n).items()}

    for row, (candidate, references) in enumerate(corpus):
        total = 0.0
        for reference in references:
            gap = max(0, len(candidate) - 1) - max(0, len(reference) - 1)
            for n in range(1, 5):
                a, b = vector(candidate, n), vector(reference, n)
                dot = sum((min(w, b.get(g, 0.0)) if clipped else w) * b.get(g, 0.0) for g, w in a.items())
                size = math.dist([0.0] * len(a), [*a.values()]) * math.dist([0.0] * len(b), [*b.values()])
                if size:
                    total += dot / size * (math.exp(-(gap**2) / 72) if clipped else 1)
        assert found[row] == pytest.approx(10 * total / 4 / len(references), abs=1e-9)


@given(sentences, st.lists(sentences, min_size=1, max_size=4))
def test_fast_rouge_l_is_the_longest_common_subsequence(
    candidate: list[str], references: list[list[str]]
) -> None:
    common = [longest(candidate, r) for r in references]
    precision = max(common) / len(candidate) if candidate else 0
    recall = max((c / len(r) for c, r in zip(common, references, strict=True) if r), default=0)
    expected = 2.44 * precision * recall / (recall + 1.44 * precision) if precision and recall else 0
    assert rouge_l([candidate], [references])[0] == pytest.approx(expected)


def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def longest(a: list[str], b: list[str]) -> int:
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            rows[i][j] = rows[i - 1][j - 1] + 1 if x == y else max(rows[i - 1][j], rows[i][j - 1])
    return rows[-1][-1]


def test_an_object_without_references_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one reference"):
        count_ngrams([["a"]], [[]])


class TestDocumentFrequencies:
    def test_a_kits_pickle_and_json_say_the_same(self, tmp_path: Path) -> None:
        counts: dict[tuple[str, ...], float] = defaultdict(float)
        counts |= {tuple(w.split()): float(n) for w, n in FREQUENCIES.items()}
        kit, own = tmp_path / "coco-val.p", tmp_path / "frequencies.json"
        kit.write_bytes(pickle.dumps({"df": counts, "ref_len": np.log(40.0)}, protocol=2))
        own.write_bytes(msgspec.json.encode({"documents": 40, "frequencies": FREQUENCIES}))
        first, second = read_frequencies(kit), read_frequencies(own)
        assert first.frequencies == second.frequencies == KNOWN.frequencies
        assert first.log_documents == pytest.approx(second.log_documents) == pytest.approx(math.log(40))

    def test_a_pickle_that_would_run_something_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "evil.p"
        path.write_bytes(b"cos\nsystem\n(S'touch " + str(tmp_path / "ran").encode() + b"'\ntR.")
        with pytest.raises(InputError, match=r"it asks for os\.system"):
            read_frequencies(path)
        assert not (tmp_path / "ran").exists()

    @pytest.mark.parametrize("content", [b"", b"{}", b"\x80\x04]\x94.", b"nonsense", b'{"documents": 0}'])
    def test_another_file_is_named_with_what_was_expected(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "x.p").write_bytes(content)
        with pytest.raises(InputError, match="expected document frequencies"):
            read_frequencies(tmp_path / "x.p")

    def test_without_a_file_the_wanted_one_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"coco-val\.p"):
            read_frequencies(None)
        with pytest.raises(InputError, match="cannot be read"):
            read_frequencies(tmp_path / "none.p")


class TestMeteor:
    def test_the_program_gives_what_it_gave_and_a_corpus_is_its_counts(self, meteor_jar: Path | None) -> None:
        found = meteor_counts(*WORDS["coco"], meteor_jar)
        assert meteor_of(found) == pytest.approx(BY_CAPTION["coco meteor"], abs=1e-12)
        assert meteor_of(found.sum(axis=0)) == pytest.approx(OF_ALL["coco meteor"], abs=1e-12)

    def test_separators_and_line_ends_in_a_caption_stay_its_own(self, meteor_jar: Path | None) -> None:
        strange = [["a", "|||", "dog"], ["a\n\u2028dog"], ["|||"], ["a", "dog"]]
        found = meteor_of(meteor_counts(strange, [[["a", "dog"]]] * 4, meteor_jar))
        assert found[3] == 1
        assert found[2] == 0
        assert found[0] > 0.5
        assert len(found) == 4

    def test_a_file_that_is_no_archive_is_named(self, tmp_path: Path, meteor_jar: Path | None) -> None:
        (tmp_path / "meteor.jar").write_bytes(b"nothing")
        with pytest.raises(InputError, match=r"meteor\.jar"):
            meteor_counts([["a"]], [[["a"]]], tmp_path / "meteor.jar")

    def test_a_missing_archive_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="there is none"):
            meteor_counts([["a"]], [[["a"]]], tmp_path / "meteor.jar")

    def test_nltk_gives_what_it_gave(self) -> None:
        pytest.importorskip("nltk", reason="the package nltk is not installed")
        found = meteor_nltk(*WORDS["plain"], from_environment("wordnet"))
        assert found == pytest.approx(BY_CAPTION["plain meteor"], abs=1e-12)

    def test_a_synonym_counts_with_nltk(self, small_wordnet: Path) -> None:
        pytest.importorskip("nltk", reason="the package nltk is not installed")
        found = meteor_nltk([["He", "strolls"], ["he", "runs"], []], [[["he", "walks"]]] * 3, small_wordnet)
        assert found[0] > found[1] > found[2] == 0

    def test_without_wordnet_the_folder_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="WordNet"):
            meteor_nltk([["a"]], [[["a"]]], None)
        if find_spec("nltk"):
            with pytest.raises(InputError, match=r"index\.noun"):
                meteor_nltk([["a"]], [[["a"]]], tmp_path)
        else:
            with pytest.raises(MissingExtraError, match=r"fathom-bench\[captions\]"):
                meteor_nltk([["a"]], [[["a"]]], tmp_path)


class TestWordNet:
    def names(self, folder: Path, word: str) -> set[str]:
        return {lemma.name() for synset in open_wordnet(folder).synsets(word) for lemma in synset.lemmas()}

    @pytest.mark.parametrize("word", ["walk", "Walks", "walked", "walking", "wolk", "strolling"])
    def test_a_word_is_found_in_all_its_forms_and_markers_are_no_part_of_it(
        self, small_wordnet: Path, word: str
    ) -> None:
        assert self.names(small_wordnet, word) == {"walk", "stroll"}

    def test_phrases_keep_their_underscores_and_unknown_words_have_no_synonyms(
        self, small_wordnet: Path
    ) -> None:
        assert self.names(small_wordnet, "boats") == {"boat", "small_vessel"}
        assert self.names(small_wordnet, "zzz") == set()
        assert self.names(small_wordnet, "") == set()

    def test_a_folder_without_a_file_of_it_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"index\.noun"):
            open_wordnet(tmp_path)
