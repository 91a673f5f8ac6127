"""The glosses of WordNet: what each meaning is, and sentences that use it."""

import hashlib
import os
import re

# Debian's wordnet-base 1:3.0-37
SHA256 = {
    "data.adj": "c89120dfc1f046ddff4a631bf9b7e9fa1a36b5e86565a23bf82dbe14f30b88a7",
    "data.adv": "444a63bf3955080ab7524f5079cfc07ff9bc682cb98bdb1db73b0fb9829f1139",
    "data.noun": "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2",
    "data.verb": "adcf43e35b581e8036d8b5a52d63d9cd3d3b4870b2720d3c03c799df44777bc2",
}


def synsets(directory):
    """The words, the definition and the examples of each set of synonyms, in the order of the files."""
    for name, wanted in SHA256.items():
        with open(os.path.join(directory, name), "rb") as file:
            content = file.read()
        if hashlib.sha256(content).hexdigest() != wanted:
            raise SystemExit(f"{name} is not the one of Debian's wordnet-base 1:3.0-37")
        for line in content.decode().splitlines():
            if line.startswith("  "):  # the licence
                continue
            fields, gloss = line.split(" | ", 1)
            fields = fields.split(" ")
            lemmas = [fields[4 + 2 * i] for i in range(int(fields[3], 16))]
            lemmas = [re.sub(r"\((a|p|ip)\)$", "", lemma).replace("_", " ") for lemma in lemmas]
            examples = re.findall(r'"([^"]*)"', gloss)
            definition = re.sub(r'"[^"]*"', "", gloss)
            definition = re.sub(r"[;,:\s]+$", "", re.sub(r"(;\s*)+", "; ", definition)).strip()
            yield lemmas, definition, [example.strip() for example in examples if example.strip()]
