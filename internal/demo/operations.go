package demo

// Rollouts are captured from their event logs; incidents follow from some of them, and lead to others.
var operationsTasks = []task{
	{
		name: "incident_triage", agent: "on-call", early: 0.55, late: 0.85,
		asks: []string{
			"Alert: error rate of the {service} service is above 5 % since ten minutes.",
			"The {service} service answers slowly after the rollout of {version}; customers of {region} complain.",
			"{customer} reports timeouts in {service}. Find out what changed.",
		},
		good: []way{{
			steps: []step{
				{"First what changed, then why.", "list_deployments", `{"service": "{service}", "latest": "{version}", "minutes_ago": 14}`},
				{"", "read_logs", `{"lines": 500, "most_frequent": "connection pool exhausted"}`},
				{"The errors began with the rollout, so it goes back first; the cause can wait.", "propose_rollback", `{"service": "{service}", "from": "{version}"}`},
			},
			result:  "The connection pool of {service} is too small since {version}; rolled back, error rate normal after four minutes.",
			insight: "Comparing the start of the errors with the list of deployments found the cause within minutes.",
			shows:   []show{{"terminal", "logs", 30, 180, `{"service": "{service}"}`, []event{{"EXECUTE", `{"command": "kubectl rollout undo deployment/{service}"}`}}}},
			liked:   0.9, corrections: []string{"Open the incident channel before you start, not after."},
		}, {
			steps: []step{
				{"", "read_metrics", `{"cpu": 0.31, "memory": 0.97, "restarts": 6}`},
				{"Memory grows until the process is killed: a leak.", "read_heap", `{"largest": "response cache", "megabytes": 1850}`},
			},
			result:  "The response cache of {service} has no limit; a limit of 256 MB was set and the service restarted.",
			insight: "Restarts with full memory point to a leak; the heap named the cache at once.",
			shows:   []show{{"charts", "bar", 18, 60, `{"title": "Heap by owner"}`, nil}},
			liked:   0.85, corrections: []string{"Write down which limit you set and why."},
		}},
		bad: []way{{
			steps: []step{
				{"A restart often helps.", "restart_service", `{"service": "{service}", "downtime_seconds": 48}`},
				{"", "restart_service", `{"service": "{service}", "downtime_seconds": 51}`},
			},
			result:  "Restarted {service} twice; the errors came back after some minutes.",
			insight: "Restarting without reading the logs cost two short outages and destroyed what they would have shown.",
			shows:   []show{{"terminal", "logs", 3, 15, `{"service": "{service}"}`, []event{{"EXECUTE", `{"command": "kubectl rollout restart deployment/{service}", "error": "deadline exceeded"}`}}}},
			liked:   0, corrections: []string{"Read the logs before you restart anything.", "Check the latest rollout first: it was the cause again."},
		}},
	},
	{
		name: "service_rollout", agent: "on-call", captured: true, early: 0.6, late: 0.9,
		asks: []string{
			"roll out {service} {version} to {region}",
			"bring {service} to {version} without downtime",
		},
		good: []way{{
			steps: []step{
				{"One instance first, then the rest.", "deploy_canary", `{"service": "{service}", "version": "{version}", "share": 0.05}`},
				{"", "compare_errors", `{"canary": 0.002, "baseline": 0.002}`},
				{"The canary is as healthy as the rest.", "deploy_all", `{"instances": 12}`},
			},
			result:  "{service} {version} runs on all 12 instances in {region}.",
			insight: "The canary was compared with the baseline before the rest followed.",
			shows:   []show{{"orchestration", "pipeline", 20, 90, `{"service": "{service}", "version": "{version}"}`, []event{{"EXECUTE", `{"stage": "promote"}`}}}},
			liked:   0.95, corrections: []string{"Wait ten minutes at the canary next time, not five."},
		}},
		bad: []way{{
			steps: []step{
				{"A small change; it can go to all at once.", "deploy_all", `{"instances": 12, "version": "{version}"}`},
				{"", "health_check", `{"healthy": 7, "of": 12}`},
			},
			result:  "health check failed on 5 of 12 instances of {service}",
			insight: "Without a canary a fault reached every customer at once.",
			shows:   []show{{"orchestration", "pipeline", 2, 10, `{"service": "{service}", "version": "{version}"}`, []event{{"UPDATE", `{"error": "health check failed on 5 of 12 instances"}`}}}},
			liked:   0, corrections: []string{"Always deploy a canary first, however small the change."},
		}},
	},
}
