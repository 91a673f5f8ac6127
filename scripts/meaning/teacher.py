"""The sentence vectors of all-MiniLM-L6-v2, computed with numpy alone.

A BERT of six layers: the mean of the last layer over all tokens, brought to the length 1. Texts of one length go
together, so that nothing is padded and no token must be masked.
"""

import numpy as np

LAYERS, HEADS, WIDTH = 6, 12, 384
HEAD = WIDTH // HEADS
CLS, SEP = 101, 102
LONGEST = 128  # tokens, both ends counted; the model was trained on texts of that length
TOGETHER = 1024  # tokens in a batch, few enough for the processor's cache


class Teacher:
    def __init__(self, weights):
        w = {name: np.ascontiguousarray(value.astype(np.float32)) for name, value in weights.items()}
        self.words = w["embeddings.word_embeddings.weight"]
        self.places = w["embeddings.position_embeddings.weight"] + w["embeddings.token_type_embeddings.weight"][0]
        self.first = (w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])
        self.layers = []
        for i in range(LAYERS):
            at = f"encoder.layer.{i}."
            linear = lambda name: (np.ascontiguousarray(w[at + name + ".weight"].T), w[at + name + ".bias"])
            norm = lambda name: (w[at + name + ".weight"], w[at + name + ".bias"])
            q, k, v = (linear(f"attention.self.{part}") for part in ("query", "key", "value"))
            self.layers.append((
                (np.hstack([q[0], k[0], v[0]]), np.hstack([q[1], k[1], v[1]])),
                linear("attention.output.dense"), norm("attention.output.LayerNorm"),
                linear("intermediate.dense"), linear("output.dense"), norm("output.LayerNorm"),
            ))

    def vectors(self, texts, report=lambda done: None):
        """A unit vector for each list of token ids (without the ends), in order."""
        texts = [ids[:LONGEST - 2] for ids in texts]
        out = np.empty((len(texts), WIDTH), np.float32)
        order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
        start = 0
        while start < len(order):
            length = len(texts[order[start]])
            most = max(1, TOGETHER // (length + 2))
            end = start
            while end < len(order) and end - start < most and len(texts[order[end]]) == length:
                end += 1
            some = order[start:end]
            out[some] = self._batch(np.array([[CLS, *texts[i], SEP] for i in some]))
            start = end
            report(start)
        return out

    def _batch(self, ids):
        count, length = ids.shape
        x = normed(self.words[ids].reshape(-1, WIDTH) + np.tile(self.places[:length], (count, 1)), *self.first)
        for (qkv, qkv_bias), (o, o_bias), o_norm, (up, up_bias), (down, down_bias), down_norm in self.layers:
            parts = (x @ qkv + qkv_bias).reshape(count, length, 3, HEADS, HEAD).transpose(2, 0, 3, 1, 4)
            q, k, v = (np.ascontiguousarray(part) for part in parts)
            weights = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(HEAD))
            weights = np.exp(weights - weights.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            seen = (weights @ v).transpose(0, 2, 1, 3).reshape(-1, WIDTH)
            x = normed(x + seen @ o + o_bias, *o_norm)
            inner = x @ up + up_bias
            gelu(inner)
            x = normed(x + inner @ down + down_bias, *down_norm)
        mean = x.reshape(count, length, WIDTH).mean(1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def normed(x, scale, shift):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * scale + shift


def gelu(x):
    """x · Φ(x) in place; erf by Abramowitz and Stegun 7.1.26, true to 1.5e-7, which is faster than scipy's."""
    z = np.abs(x)
    z *= np.float32(np.sqrt(0.5))
    t = z * np.float32(0.3275911)
    t += 1
    np.reciprocal(t, out=t)
    erfc = t * np.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        erfc += np.float32(factor)
        erfc *= t
    np.multiply(z, z, out=z)
    np.negative(z, out=z)
    np.exp(z, out=z)
    erfc *= z  # of |x|/√2
    np.copysign(erfc, x, out=erfc)
    np.sign(x, out=z)
    z -= erfc  # erf(x/√2)
    z += 1
    x *= z
    x *= np.float32(0.5)
