"""Texts with the tokens that the library tokenizers makes of them: what the encoder in Go is tested against."""

import gzip
import json
import random

OF_WORDNET = 1500
CHANCE = 1500

BY_HAND = [
    "", " ", "\n\t\r", "a", "A", "Hello, World!", "don't won't I'm it's", "e-mail: ann.o'neil+x@example.com", "3.14159 1,000,000 50% $5 #1 @you",
    "https://example.com/a_b?c=d&e=%20#f", "C:\\Program Files\\x.exe", "func (t *Tree) Walk(ctx context.Context) error { return nil }",
    "SELECT id, name FROM users WHERE age >= 18 AND name LIKE '%o''neil%';", "{\"key\": [1, 2.5e-3, null, true]}", "snake_case camelCase PascalCase kebab-case",
    "café naïve façade Zürich Ångström señor", "cafe\u0301 nai\u0308ve", "İstanbul ISTANBUL ıI", "straße STRASSE ẞ", "Ελληνικά ΣΊΣΥΦΟΣ", "Привет, мир! Ёлка й",
    "שלום עולם", "שָׁלוֹם", "مرحبا بالعالم", "مَرْحَبًا", "नमस्ते दुनिया", "বাংলা ভাষা", "தமிழ் மொழி", "ภาษาไทย", "한국어 문장 테스트", "日本語のテキスト カタカナ", "中文文本测试", "漢字かな混じり文",
    "Tiếng Việt có dấu", "zażółć gęślą jaźń", "🙂👍🏽👩‍👩‍👧‍👦 🇩🇪 ❤️", "ok👍done", "a\u200bb\u200dc\ufeffd", "soft\u00adhyphen", "non\u00a0breaking\u202fspace\u3000wide",
    "null\x00bell\x07del\x7fnext\x85line\u2028para\u2029end", "\ufffd bad \ufffd", "“quoted” ‘single’ «guillemets» … — –", "½ ² ³ № ™ © ® € £ ¥ ∑ ∞ ≠ ≤ → ←", "ﬁnal ﬂow ĳ Ⅷ ①",
    "x" * 100, "x" * 101, "x" * 1000, "é" * 100, "é" * 101, "internationalization", "antidisestablishmentarianism", "pneumonoultramicroscopicsilicovolcanoconiosis", "qzxjvkqzxjvk",
    "[CLS] [SEP] [MASK] [PAD] [UNK] [unused5]", "##ing ##s #hash ##", "...!!!???", "-----", "___", "a.b.c", "U.S.A.", "Dr. Smith's 2nd-hand car", "1st 2nd 3rd 4th", "0xDEADBEEF 0b1010",
    "mia_li_3668", "550e8400-e29b-41d4-a716-446655440000", "sk-proj-abcdef", "2023-05-07T12:34:56.789Z", "GPT-4o/gpt-3.5-turbo", "Zalgo: H\u0337\u0301e\u0334\u0300l\u0335l\u0336o\u0338",
    "\U0001d400\U0001d401 \U0001d7d8", "ａｂｃ１２３！", "\u0e33\u0eb3", "\u1100\u1161\u11a8", "\uac01", "\u212b \u2126 \u212a", "\u0344 \u0958 \u2adc", "\uf900\ufa0e\U0002f800", "\ue000private\U000f0000",
]

# blocks that a text by chance is made of: the first and the last of their characters
BLOCKS = [(0x20, 0x7e)] * 6 + [
    (0x00, 0x1f), (0x7f, 0xff), (0x100, 0x17f), (0x300, 0x36f), (0x370, 0x3ff), (0x400, 0x4ff), (0x5d0, 0x5ea), (0x620, 0x64a), (0x905, 0x939), (0xe01, 0xe30),
    (0x1100, 0x11ff), (0x1e00, 0x1eff), (0x2000, 0x206f), (0x20a0, 0x20bf), (0x2190, 0x21ff), (0x2200, 0x22ff), (0x3001, 0x30ff), (0x4e00, 0x5000), (0xac00, 0xad00),
    (0xfb00, 0xfb06), (0xff01, 0xff5e), (0x1f600, 0x1f64f),
]


def write(tokenizer, texts, path, characters):
    """Writes a line of JSON for each text, [text, tokens], and for each row of characters between two qs that have the
    same tokens, [first, last, tokens]. Says how many texts and rows there are."""
    chance = random.Random(2)
    rows = BY_HAND + texts[-OF_WORDNET:]
    for _ in range(CHANCE):
        words = []
        for _ in range(chance.randint(1, 6)):
            first, last = chance.choice(BLOCKS)
            words.append("".join(chr(chance.randint(first, last)) for _ in range(chance.randint(1, 9))))
        rows.append(chance.choice(["", " ", "\t"]).join(words))
    tokens = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    store(path, [[text, tokens(text)] for text in rows])

    runs = []
    for point in range(0x110000):
        if 0xd800 <= point <= 0xdfff:
            continue
        ids = tokens("q" + chr(point) + "q")
        if runs and runs[-1][1] == point - 1 and runs[-1][2] == ids:
            runs[-1][1] = point
        else:
            runs.append([point, point, ids])
    store(characters, runs)
    return len(rows), len(runs)


def store(path, lines):
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        for line in lines:
            packed.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
