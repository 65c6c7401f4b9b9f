"""Invented captions, and what other programs gave for them.

Recorded with pycocoevalcap 1.2 (BLEU, ROUGE-L, CIDEr-D, PTB tokens, METEOR 1.5), nltk 3.10.4 with WordNet 3.0
(METEOR), sentence-transformers 6.2.0 with all-MiniLM-L6-v2, rouge-score 0.1.2 and sacrebleu 2.6.0.
"""

from collections.abc import Mapping, Sequence

PAIRS: Sequence[tuple[str, tuple[str, ...]]] = (
    (
        "A cartoon knight in a blue helmet raises his sword twice.",
        (
            "A knight with a round blue helmet lifts a sword two times.",
            "The cartoon-style knight raises his sword, then lowers it.",
            "A little knight swings a sword up and down.",
            "A blue knight raises his sword twice and stands still.",
            "A toy knight (with a helmet) waves its sword.",
        ),
    ),
    (
        "The robot isn't walking; it turns its head to the left",
        (
            "A gray robot slowly turns its head left.",
            "A robot's head rotates to the left, and its body doesn't move.",
            "The small robot looks to its left.",
            "A robot turns the head from right to left.",
            "The robot turns its head to the left while standing.",
        ),
    ),
    (
        "a dog",
        (
            "A brown dog runs forward.",
            "A dog is running.",
            "The dog runs quickly.",
            "A dog.",
            "A low-poly dog runs.",
        ),
    ),
    (
        "A dragon flies, flaps its wings, and lands. A dragon flies, flaps its wings, and lands.",
        (
            "A green dragon flaps its wings and flies up.",
            "The dragon is flying with its big wings.",
            "A dragon takes off, circles once, and lands.",
            "A winged green dragon hovers in the air.",
            "The dragon beats its wings and rises.",
        ),
    ),
    (
        "completely unrelated words everywhere",
        (
            "A car door opens and closes.",
            "The red car opens its left door.",
            "A car whose door swings open.",
            "A small red car opens a door, then shuts it.",
            "The door of a car is opened.",
        ),
    ),
    (
        "",
        (
            "A ball bounces three times.",
            "A red ball jumps.",
            "The ball is bouncing.",
            "A ball falls.",
            "A ball.",
        ),
    ),
)
"""A caption and its references, by object."""

PTB_WORDS: Sequence[str] = (
    "a cartoon knight in a blue helmet raises his sword twice",
    "the robot is n't walking it turns its head to the left",
    "a dog",
    "a dragon flies flaps its wings and lands a dragon flies flaps its wings and lands",
    "completely unrelated words everywhere",
    "",
)
"""Penn Treebank words of the captions, by Stanford CoreNLP 3.4.1."""

PTB_REFERENCE_WORDS: Sequence[Sequence[str]] = (
    (
        "a knight with a round blue helmet lifts a sword two times",
        "the cartoon-style knight raises his sword then lowers it",
        "a little knight swings a sword up and down",
        "a blue knight raises his sword twice and stands still",
        "a toy knight -lrb- with a helmet -rrb- waves its sword",
    ),
    (
        "a gray robot slowly turns its head left",
        "a robot 's head rotates to the left and its body does n't move",
        "the small robot looks to its left",
        "a robot turns the head from right to left",
        "the robot turns its head to the left while standing",
    ),
    ("a brown dog runs forward", "a dog is running", "the dog runs quickly", "a dog", "a low-poly dog runs"),
    (
        "a green dragon flaps its wings and flies up",
        "the dragon is flying with its big wings",
        "a dragon takes off circles once and lands",
        "a winged green dragon hovers in the air",
        "the dragon beats its wings and rises",
    ),
    (
        "a car door opens and closes",
        "the red car opens its left door",
        "a car whose door swings open",
        "a small red car opens a door then shuts it",
        "the door of a car is opened",
    ),
    ("a ball bounces three times", "a red ball jumps", "the ball is bouncing", "a ball falls", "a ball"),
)
"""The same of the references."""

BY_CAPTION: Mapping[str, Sequence[float]] = {
    "coco bleu_1": (
        0.818181818033058,
        0.7499999999375001,
        0.9999999990000008,
        0.4999999999687501,
        1.516326648523421e-16,
        0.0,
    ),
    "coco bleu_2": (
        0.6396021489476329,
        0.6396021490111085,
        0.9999999987500011,
        0.40824829043749705,
        1.750903197335846e-16,
        0.0,
    ),
    "coco bleu_3": (
        0.44964431293646534,
        0.5469655075428685,
        0.009999999990000012,
        0.28768479131315805,
        2.1027243544704205e-16,
        0.0,
    ),
    "coco bleu_4": (
        0.32649710279826866,
        0.4832697830440647,
        0.0009999999991250007,
        0.20687206008824147,
        2.740311594723361e-16,
        0.0,
    ),
    "coco rouge_l": (0.5763779527559055, 0.7393939393939394, 1.0, 0.5897790055248618, 0.0, 0.0),
    "coco cider_d": (1.7561480357110364, 2.201018365077083, 2.3700951525640974, 0.4127861015067514, 0.0, 0.0),
    "plain bleu_1": (
        0.7272727272066117,
        0.7272727272066117,
        0.49999999950000074,
        0.3749999999765626,
        1.516326648523421e-16,
        0.0,
    ),
    "plain bleu_2": (
        0.46709936645232714,
        0.6605782590127613,
        2.2360679747047065e-08,
        0.27386127873489624,
        1.750903197335846e-16,
        0.0,
    ),
    "plain bleu_3": (
        0.2894178740186102,
        0.5788357480372202,
        7.937005251904006e-08,
        1.7497570118210083e-06,
        2.1027243544704205e-16,
        0.0,
    ),
    "plain bleu_4": (
        4.172261448166098e-05,
        0.519307177812629,
        1.4953487799127914e-07,
        4.505546423100306e-09,
        2.740311594723361e-16,
        0.0,
    ),
    "plain rouge_l": (
        0.5176803394625177,
        0.768503937007874,
        0.31443298969072164,
        0.4212707182320442,
        0.0,
        0.0,
    ),
    "plain cider_d": (
        1.211791662380267,
        2.0352233060943354,
        0.9352191060157949,
        0.19128737619679442,
        0.0,
        0.0,
    ),
    "coco meteor": (0.3474106428815767, 0.38862184769488145, 1.0, 0.3226442391683605, 0.0, 0.0),
    "plain meteor": (
        0.5569306930693068,
        0.785891089108911,
        0.4934210526315789,
        0.42613636363636365,
        0.0,
        0.0,
    ),
    "plain sbert": (
        0.8558381795883179,
        0.8803268671035767,
        0.9890519380569458,
        0.8231537342071533,
        0.040962401777505875,
        0.16730451583862305,
    ),
    "plain cider with frequencies": (
        1.6551808103123267,
        2.267190660668528,
        2.318335261169457,
        1.9603841983726311,
        0.0,
        0.0,
    ),
}
"""Values of each caption; `coco` on PTB words, `plain` on words between white space."""

OF_ALL: Mapping[str, float] = {
    "coco bleu_1": 0.6222222222083951,
    "coco bleu_2": 0.5142416206725753,
    "coco bleu_3": 0.39245102111564073,
    "coco bleu_4": 0.31422531855073826,
    "plain bleu_1": 0.5227272727153927,
    "plain bleu_2": 0.40104757926134077,
    "plain bleu_3": 0.2870522543574507,
    "plain bleu_4": 0.22053154570537753,
    "coco meteor": 0.27200692940692756,
    "plain bleu_4 by sacrebleu": 0.22053154571150355,
}
"""Values of all captions together."""

FREQUENCIES: Mapping[str, int] = {
    "a": 30,
    "the": 28,
    "knight": 2,
    "robot": 3,
    "its": 12,
    "a dog": 4,
    "to the": 9,
    "to the left": 2,
    "dragon": 1,
}
"""Document frequencies of 40 documents, behind `plain cider with frequencies` (on PTB words)."""
