package meanings

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store/neo4j/cypher"
)

// Many records are given together what each is given alone, and their vectors in their order.
func TestGiveAllIsGiveOfEach(t *testing.T) {
	for _, count := range []int{0, 1, leastShare, leastShare + 1, 5*leastShare + 3} {
		for _, made := range []bool{true, false} {
			together, alone, wanted := []cypher.Parameters{}, []cypher.Parameters{}, []cypher.Parameters{}
			for i := range count {
				said := fmt.Sprintf("flight %d was late\nand the luggage went to Lima", i)
				if i%7 == 0 {
					said = "" // means nothing
				}
				record := cypher.Parameters{"key": fmt.Sprint(i), "title": "A delay", "observation": said}
				if said == "" {
					record["title"] = ""
				}
				together, alone = append(together, maps.Clone(record)), append(alone, record)
			}
			for _, record := range alone {
				wanted = append(wanted, Give(memory.KindEpisode, record, made)...)
			}
			require.Equal(t, wanted, GiveAll(memory.KindEpisode, together, made))
			require.Equal(t, alone, together)
		}
	}
}
