// Package redaction is the boundary that texts pass before they touch a disk, a log or an index: private spans and
// secrets are taken out, prose is compacted, and the record's receipt says what was done.
package redaction
