"""The words around an option's letter that say whether it is meant: in English, and the commonest elsewhere.

All patterns are written for text in Unicode's form NFKC, so that full-width letters and brackets are plain.
"""

from __future__ import annotations

import re

WORD = "A-Za-z0-9_À-ÖØ-öø-ɏ"
"""What a letter by itself must not touch. Scripts without blanks between words are left out."""

OPEN = "(\\[{<«\"“”„'‘’`*_~【「『《〔〈"
CLOSE = ")\\]}>»\"“”'‘’`*_~】」』》〕〉"

NOUNS = (
    r"options?|choices?|letter|alternative|candidate|statement|answer|ans|set|"
    r"opci[oó]n|opção|opzione|opzioni|вариант|选项|選項|選択肢|선택지|الخيار"
)
"""Nouns that make the letter behind them an option's."""

FILLER = (
    r"(?:[^\w]|_|\b(?:clearly|definitely|decidedly|probably|likely|most|certainly|indeed|obviously|simply|"
    r"surely|perhaps|undoubtedly|therefore|thus|hence|then|also|just|still|again|here|only|would|be|is|best|"
    r"the|that|this|of|for|my|your|our|one|correct|right|closest|option|options|choice|letter|number|"
    r"alternative|answer|identifier|beyond|doubt|question|"
    r"la|le|el|il|lo|l|der|die|das|option|opción|opção|opzione|question)\b|选项|選項|選択肢|[是为為选選])*"
)
"""What may stand between a cue and its letter."""

_MEANT = (
    # that an answer follows
    r"\banswers?\b(?:\s+(?:to|for)\s+(?:the|this|that|your)\s+question)?(?:[^\w]|\b(?:is|was|be|as|beyond|"
    r"remains?|would|should|must|will|still|could|simply|consist|of|therefore|thus|hence|directly)\b)*",
    r"\b(?:ans|solution|conclusion|correction|verdict|finally)\b",
    r"\b(?:identifier|choice|option|letter|statement|selection|match)\b(?:[^\w]|\b(?:for|this|question)\b)*"
    r"\b(?:is|was|be|would\s+be|should\s+be|must\s+be)\b",
    r"\b(?:correct|right|best)\s+(?:answer|option|choice|selection)\b(?:\s+\w+){0,2}",
    # that somebody chooses
    r"\b(?:choose|chose|choosing|select|selecting|selected|pick|picking|picked|prefer|say|meant|take|took|"
    r"conclude|return|returning|determine|favou?r|favou?rs|"
    r"go(?:ing)?\s+(?:with|for)|settle\s+(?:on|for)|left\s+with|leaves?)\b",
    r"\bi\s+(?:\w+\s+)?(?:think|believe|guess|suppose)\b(?:\s+(?:that|it|it's|is))*",
    # that it follows, or that it fits
    r"\b(?:so|therefore|hence|thus|then|consequently|accordingly|namely|so\s+it's)\b",
    r"\b(?:it's|it\s+is|it\s+must\s+be|has\s+(?:got\s+)?to\s+be|gotta\s+be|must\s+be|would\s+be|should\s+be)\b",
    r"\b(?:match(?:es)?|fits?|corresponds?|aligns?|supports|agrees)\b(?:\s+(?:with|to))?",
    r"\b(?:analysis|response|guess|pick)\s+(?:is|would\s+be)\b",
    r"\b(?:points?|lean(?:s|ing)?)\s+(?:to|towards?)\b",
    r"\bnone\s+other\s+than\b",
    r"(?:→|⇒|=>|->)",
    r"\bbut\b(?:\s+(?:it's|it\s+is|rather))?",
    r"\b(?:no|nope|wait|actually|rather|sorry|correction|yes)\s*[,.:…—–-]+",
    # in other languages
    r"\b(?:antwort|lösung|richtig|korrekt)\b(?:\s+(?:ist|lautet|wäre))?",
    r"\b(?:daher|deshalb|somit|donc|alors|por\s+(?:lo\s+)?tanto|quindi|portanto)\b"
    r"(?:\s+(?:ist|wäre|c'est|es|è|é))?",
    r"\b(?:wähle|nehme|entscheide\s+mich\s+für)\b",
    r"\br[ée]ponse\b(?:\s+(?:est|correcte|exacte|serait))*",
    r"\b(?:choisis|sélectionne|opte\s+pour)\b",
    r"\b(?:respuesta|correcta|resposta|correta|risposta|corretta)\b(?:\s+(?:es|é|è|correcta|correta|corretta|sería))*",
    r"\b(?:elijo|escojo|selecciono|escolho|scelgo)\b",
    r"ответ(?:\s+(?:это|будет))?",
    r"(?:उत्तर|cevap|yanıt|đáp\s+án|jawaban)(?:\s+(?:है|là|adalah))?",
    r"(?:الإجابة|الجواب|إجابة)(?:\s+(?:الصحيحة|الصحيح))?(?:\s+(?:هي|هو))?",
    r"答案(?:应该|應該|应|應)?(?:是|为|為|选|選)?",
    r"(?:正确|正確)(?:的)?(?:选项|選項)?(?:是|为|為)?",
    r"(?:应选|應選|我选|我選|选择|選擇|选|選|故|所以|因此)",
    r"(?:答え|答|正解|解答|回答)(?:は|が|:)?",
    r"(?:정답|답)(?:은|는)?",
)
MEANT_BEFORE = re.compile(rf"(?:{'|'.join(_MEANT)}){FILLER}$", re.IGNORECASE)
"""Before a letter: it is meant."""

_DENIED = (
    r"\b(?:not|isn't|wasn't|never|neither|nor|rather\s+than|instead\s+of|unlike|other\s+than)\b",
    r"\b(?:than)\b",
    r"\b(?:rule[sd]?\s+out|ruling\s+out|eliminat\w+|exclud\w+|discard\w*|reject\w*|dismiss\w*|against)\b",
    r"\b(?:no|without|lack\s+of)\s+(?:\w+\s+){0,2}(?:evidence|support|sign|indication)\s+"
    r"(?:for|of|that|supporting)",
    r"\b(?:cannot|can't|can\s+not|could\s+not|couldn't|not)\s+(?:be\s+|really\s+)?"
    r"(?:say|tell|confirm|claim|conclude|determine)\s+(?:that|if|whether)?",
    r"\bnone\s+of\b",
    r"(?:不是|并非|並非|排除|ではなく|nicht|kein|pas|no\s+es)",
)
DENIED_BEFORE = re.compile(rf"(?<!none\s)(?:{'|'.join(_DENIED)}){FILLER}$", re.IGNORECASE)
"""Before a letter: it is not meant."""

DENIED_AFTER = re.compile(
    r"\b(?:is|are|was|were|does|do|did|can|could|would|should|must|seems?|may|might|has|have|had|will)\s+"
    r"(?:\w+\s+){0,3}?(?:not|never)\b|\bcannot\b|n't\b|"
    r"\b(?:incorrect(?:ly)?|wrong|false|invalid|misleading|unrelated|irrelevant|unlikely|impossible|"
    r"ruled\s+out|eliminated|excluded|rejected|discarded|mistaken|inaccurate|implausible|"
    r"falsch|incorrecta|fausse|errada)\b|"
    r"\b(?:is|are)\s+out\b|^[\s).:,—–-]*(?:no|nope)\b|[—–-]\s*(?:no|nope)\s*$|[✗✘❌]|不对|不正确|错|間違|ではな",
    re.IGNORECASE,
)
"""Behind a letter, in its clause: it is not meant."""

MEANT_AFTER = re.compile(
    r"\b(?:correct|right|selected|chosen|best|accurate|appropriate|suitable|true|yes|likely|remains?|"
    r"my\s+(?:final\s+)?(?:answer|choice|pick)|the\s+(?:final\s+)?answer|the\s+(?:one|most)|"
    r"stands\s+out|matches|fits|aligns|answers\s+correctly|more\s+probable|"
    r"richtig|korrekt|correcta|correta|corretta|correcte|exacte)\b|"
    r"^[\s)]*(?:が正|です|を選|正确|正確|对|對|입니다|が答)|[✓✔✅]",
    re.IGNORECASE,
)
"""Behind a letter, in its clause: it is meant."""

SUPPOSED = re.compile(
    r"\b(?:if|whether|unless|suppose|supposing|evaluat\w+|falls?|wenn|falls|ob|si)\b", re.IGNORECASE
)
"""Before a letter, in its clause: it is only supposed."""

DECLINED = re.compile(
    r"\b(?:cannot|can't|can\s+not|could\s+not|couldn't|unable|not\s+(?:be\s+)?(?:possible|able|sure|clear|enough)|"
    r"impossible|unclear|undetermined|insufficient|no\s+(?:option|answer|choice|information)|"
    r"none\s+of\s+(?:these|those|them|the|options?)|don't\s+know|difficult\s+to|hard\s+to|inconclusive)\b|"
    r"无法|無法|不能|分かりません|わかりません|알 수 없",
    re.IGNORECASE,
)
"""Somewhere in a text: no answer is given, or none with confidence."""

REASON = re.compile(
    r",?\s*\b(?:because|since|as|for|given|due\s+to|while|whereas|although|though|however|but|"
    r"weil|denn|da|parce\s+que|car|porque|perché)\b|因为|因為",
    re.IGNORECASE,
)
"""What begins the reason for an answer; words behind it say nothing of the answer itself."""

AGAIN = re.compile(r"^[\s,)]*(?:as\s+well|too)\b", re.IGNORECASE)
"""Behind a letter: it is meant beside another."""
