package resolvers

import (
	"context"
	"mneme/memory/alerts"
	"mneme/service/boundary"
)

func (r *queryResolver) Alerts(ctx context.Context, kind *alerts.Kind, severity *alerts.Severity) ([]*alerts.Alert, error) {
	return pointers(tenant(ctx).Learning.Alerts(ctx, boundary.AlertsInput{Kind: kind, Severity: severity}))
}
