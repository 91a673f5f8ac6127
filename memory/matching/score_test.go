package matching_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/matching"
)

func TestScoreWorked(t *testing.T) {
	t.Parallel()
	full := matching.Match{Words: 1 / 1.3}
	for name, test := range map[string]struct {
		parts           matching.Parts
		score, semantic float64
	}{
		"nothing":                     {matching.Parts{}, 0, 0},
		"every word once":             {matching.Parts{Match: full}, 1 / 1.3, 1},
		"half":                        {matching.Parts{Match: matching.Match{Words: 0.5}}, 0.5, 0.65},
		"more than every word once":   {matching.Parts{Match: matching.Match{Words: 0.9}}, 0.9, 1},
		"every word and its meaning":  {matching.Parts{Match: full, Meaning: 1, Compared: true}, 1/1.3 + 0.5, 1},
		"every word, and no meaning":  {matching.Parts{Match: full, Compared: true}, 1 / 1.3, 1 / 1.65},
		"meaning alone":               {matching.Parts{Meaning: 0.71, Compared: true}, 0.355, 0.65 * 0.71 / 1.65},
		"meaning, and no words asked": {matching.Parts{Meaning: 0.71, Compared: true, Wordless: true, Date: 1}, 0.555, 0.71},
		"the opposite":                {matching.Parts{Meaning: -0.5, Compared: true}, -0.25, 0},
		"a meaning that is not known": {matching.Parts{Match: full, Meaning: 0.9}, 1 / 1.3, 1},
		"the day":                     {matching.Parts{Date: 1}, 0.2, 0.26},
		"the day, with vectors":       {matching.Parts{Date: 0.5, Compared: true}, 0.1, 0.08},
		"the speaker":                 {matching.Parts{Speaker: 1}, 0.1, 0},
		"all":                         {matching.Parts{Match: matching.Match{Words: 0.6}, Meaning: 0.4, Compared: true, Date: 1, Speaker: 1}, 0.6 + 0.2 + 0.2 + 0.1, (0.78+0.26)/1.65 + 0.16},
	} {
		t.Run(name, func(t *testing.T) {
			assert.InDelta(t, test.score, test.parts.Score(), 1e-12)
			assert.InDelta(t, test.semantic, test.parts.Semantic(), 1e-12)
		})
	}
}

func TestScoresGrowWithTheirParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0, 1)
		p := matching.Parts{
			Match:   matching.Match{Words: share.Draw(t, "words")},
			Meaning: rapid.Float64Range(-1, 1).Draw(t, "meaning"), Compared: rapid.Bool().Draw(t, "compared"),
			Date: share.Draw(t, "date"), Speaker: rapid.SampledFrom([]float64{0, 1}).Draw(t, "speaker"),
		}
		assert.True(t, p.Semantic() >= 0 && p.Semantic() <= 1)
		assert.True(t, p.Score() >= -0.5 && p.Score() <= 1.8+1e-12)
		better := p
		better.Words = rapid.Float64Range(p.Words, 1).Draw(t, "more words")
		better.Meaning = rapid.Float64Range(p.Meaning, 1).Draw(t, "nearer")
		better.Date = rapid.Float64Range(p.Date, 1).Draw(t, "nearer in time")
		assert.GreaterOrEqual(t, better.Score(), p.Score())
		assert.GreaterOrEqual(t, better.Semantic(), p.Semantic())
	})
}
