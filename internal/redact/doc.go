// Package redact finds secrets in text and puts "[secret:kind]" in their place, for the write boundary.
//
// What a secret looks like is said by the rules of gitleaks (gitleaks/gitleaks.toml, version 8.30.1, MIT),
// as they are, and by a few of our own for what a scanner of source code has no need of: passwords in
// URLs and in sentences, Authorization headers, private keys that were cut off. How they are looked for is
// ours: where one of the words that a secret begins with stands, and nowhere else, so that plain text
// costs one look at each byte and no text takes long. docs/adr says why.
package redact
