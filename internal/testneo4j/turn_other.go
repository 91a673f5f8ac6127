//go:build !unix

package testneo4j

// takeTurn does nothing where there are no advisory locks: run the packages one after another there (go test -p 1).
func takeTurn(Server) error { return nil }
