package resolvers

import (
	"context"
	"mneme/memory"
	"mneme/service"
	"time"
)

func (r *queryResolver) Trends(ctx context.Context, agentID *string, taskType *string, judgeID *string, since *time.Time, bucket *memory.TrendBucket) ([]*memory.TrendPoint, error) {
	return pointers(r.service.Trends(ctx, service.TrendsInput{
		AgentID: agentID, TaskType: taskType, JudgeID: judgeID, Since: since, Bucket: orElse(bucket, memory.BucketDay),
	}))
}
