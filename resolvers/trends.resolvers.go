package resolvers

import (
	"context"
	"mneme/memory"
	"mneme/memory/trends"
	"mneme/service/boundary"
	"time"
)

func (r *queryResolver) Trends(ctx context.Context, agentID *string, taskType *string, judgeID *string, sectionType *string, context memory.JSON, since *time.Time, bucket *trends.Bucket) ([]*trends.Point, error) {
	return pointers(tenant(ctx).Learning.Trends(ctx, boundary.TrendsInput{
		AgentID: agentID, TaskType: taskType, JudgeID: judgeID, SectionType: sectionType, Context: context, Since: since, Bucket: boundary.ValueOr(bucket, trends.Day),
	}))
}
