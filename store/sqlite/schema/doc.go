// Package schema is what is in a tenant's file beside records: the tables and indexes, which schema.sql makes, and the
// settings, each of which a file has once.
package schema
