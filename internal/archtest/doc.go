// Package archtest holds the tests of the shape of the project: who may import whom, and that its documents hang together.
package archtest
