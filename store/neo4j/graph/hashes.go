package graph

import (
	"encoding/base64"
)

// HashText is the hash of an input as a node keeps it; "" for none.
func HashText(hash []byte) string { return base64.RawStdEncoding.EncodeToString(hash) }

// HashOf reads the hash of an input; what is none equals no other.
func HashOf(text string) []byte {
	hash, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return []byte(text)
	}
	return hash
}
