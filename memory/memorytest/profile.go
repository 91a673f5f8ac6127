package memorytest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
)

// Did is an execution of a quality, a success from a half on.
func Did(key string, at time.Time, quality float64) memory.Execution {
	return memory.Execution{Key: key, AgentKey: "ada", TaskType: "refund", Success: quality >= 0.5, Quality: quality, At: at}
}

// ProfileOf is a profile with the executions.
func ProfileOf(executions ...memory.Execution) *memory.LearningProfile {
	all := make([]*memory.Execution, len(executions))
	for i := range executions {
		all[i] = &executions[i]
	}
	return memory.SumUp("ada", "refund", all)
}

// DrawExecutions draws executions at few enough times that some share one.
func DrawExecutions(random *rapid.T, most int) []memory.Execution {
	all := make([]memory.Execution, rapid.IntRange(0, most).Draw(random, "executions"))
	for i := range all {
		at := Monday.Add(time.Duration(rapid.IntRange(0, 40*24).Draw(random, "hour")) * time.Hour)
		all[i] = Did(fmt.Sprintf("x%03d", i), at, rapid.Float64Range(0, 1).Draw(random, "quality"))
		if rapid.Bool().Draw(random, "timed") {
			all[i].LatencyMs = new(rapid.Float64Range(0, 1e6).Draw(random, "latency"))
		}
	}
	return all
}
