package judging_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/judging"
)

func TestParts(t *testing.T) {
	t.Parallel()
	long := `"` + strings.Repeat("x", judging.MaxPairBytes) + `"`
	tests := []struct {
		name, context string
		want          []string // but for the first, which is nothing of it
	}{
		{"none", "", nil},
		{"null", "null", nil},
		{"empty", "{}", nil},
		{"a pair", `{"energy":"high"}`, []string{`{"energy":"high"}`}},
		{"pairs by key", `{"tempo":120,"energy":"high"}`, []string{`{"energy":"high"}`, `{"tempo":120}`, `{"energy":"high","tempo":120}`}},
		{"three pairs", `{"a":1,"b":true,"c":null}`, []string{
			`{"a":1}`, `{"b":true}`, `{"c":null}`, `{"a":1,"b":true}`, `{"a":1,"c":null}`, `{"b":true,"c":null}`,
		}},
		{"numbers are written in one way", `{"tempo":1.20e2}`, []string{`{"tempo":120}`}},
		{"a list is a value", `{"bars":[8,9]}`, []string{`{"bars":[8,9]}`}},
		{"no object", `"loud"`, []string{`"loud"`}},
		{"long values are passed over", `{"a":1,"b":` + long + `}`, []string{`{"a":1}`}},
		{"long keys are passed over", `{` + long + `:1,"a":1}`, []string{`{"a":1}`}},
		{"a long text", long, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := []string(nil)
			parts := judging.Parts(memory.JSON(test.context))
			assert.Nil(t, parts[0])
			for _, part := range parts[1:] {
				got = append(got, string(part))
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestAHostileContextHasFewParts(t *testing.T) {
	t.Parallel()
	fields := make([]string, 1000)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"k%04d":%d`, i, i)
	}
	parts := judging.Parts(memory.JSON("{" + strings.Join(fields, ",") + "}"))
	assert.Len(t, parts, 1+8+8*7/2)
	assert.Equal(t, `{"k0006":6,"k0007":7}`, string(parts[len(parts)-1]))
}
