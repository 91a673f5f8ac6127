package schema_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/ranking"
	"mneme/schema"
	"mneme/service/reading"
	"mneme/service/recalling"
)

// The defaults in the schema are what is used where a query gives only some of the weights.
func TestDefaultsOfTheRankingAreItsOwn(t *testing.T) {
	t.Parallel()
	number := func(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }
	weights := ranking.DefaultWeights
	want := map[string]string{
		"semanticWeight": number(weights.Semantic), "temporalWeight": number(weights.Temporal),
		"halfLifeDays": number(weights.HalfLifeDays), "canvasBoost": number(weights.CanvasBoost),
		"positiveBoost": number(weights.PositiveBoost), "negativePenalty": number(weights.NegativePenalty),
		"feedback": string(weights.Feedback), "creditWeight": number(weights.Credit),
	}
	said := map[string]string{}
	for _, field := range schema.Load().Types["RankingInput"].Fields {
		require.NotNil(t, field.DefaultValue, field.Name)
		said[field.Name] = field.DefaultValue.Raw
	}
	assert.Equal(t, want, said)
}

func TestPagesAreAsLongAsTheSchemaSays(t *testing.T) {
	t.Parallel()
	size := regexp.MustCompile(`The size of the page, [01] to (\d+)(?:; (\d+) where it is left out)?\.`)
	found := size.FindAllStringSubmatch(schema.SDL(), -1)
	require.NotEmpty(t, found)
	for _, said := range found {
		assert.Contains(t, []string{strconv.Itoa(reading.MaxPage), strconv.Itoa(recalling.MaxNeighbours)}, said[1], said[0])
		if said[2] != "" {
			assert.Equal(t, strconv.Itoa(reading.DefaultPage), said[2], said[0])
		}
	}
}
