// Package sqlite is the embedded store: one SQLite file per tenant, nothing to install.
//
// Every record is a row of nodes (kind and key) and every link a row of edges, whatever the kinds, so that a walk
// through the graph is one query; what a record holds is in a table of its own kind. Words are found through a
// full-text index that is fed with the stems of package lexical, vectors through vec_distance_cosine.
//
// Each tenant has one writer, which commits what waits together, and a few readers that see snapshots
// (write-ahead log). Several processes may work on one directory: SQLite's locks keep their writers
// apart, and each waits for the other. While a tenant is open nothing else in the process may open its
// files, since closing them again would end those locks.
package sqlite
