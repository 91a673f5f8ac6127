package lexical

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRarity(t *testing.T) {
	tests := []struct {
		name   string
		n, all int
		want   float64
	}{
		{"one of ten", 1, 10, 1.9924301646902063},
		{"half", 5, 10, 0.6931471805599453},
		{"all", 10, 10, 0.04652001563489291},
		{"the only one", 1, 1, 0.28768207245178085},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.InDelta(t, tt.want, Rarity(tt.n, tt.all), 1e-12)
		})
	}
}
