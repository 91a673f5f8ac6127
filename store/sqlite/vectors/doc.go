// Package vectors tells about how near the vectors that callers gave their episodes are to one that is asked for: by the signs of their
// numbers, which are kept in memory for each file.
package vectors
