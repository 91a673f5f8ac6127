// Package schema is what is in a tenant's file beside records: the tables and indexes, which migrations make, and the
// settings, each of which a file has once.
package schema
