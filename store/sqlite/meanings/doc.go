// Package meanings keeps what records say as vectors: codes of package meaning, which it makes when a record is written,
// or afterwards of those that came without.
package meanings
