// Package archtest tests the shape of the project: who may import whom, and links and sizes of its documents.
package archtest
