package demo

import (
	"maps"
	"slices"
)

// A task is a kind of work of the sample. Texts hold {slots}, which the story of a session fills.
type task struct {
	name  string // its task type
	agent string // the key of the agent who does it
	// captured tasks are told by the event log of their run instead of a finished episode.
	captured bool
	asks     []string
	// Early and late are the shares of good ways at the beginning and at the end of the 90 days:
	// agents get better at most things, since they remember.
	early, late float64
	good, bad   []way
}

// A way is how a task was done once, and what came of it.
type way struct {
	steps   []step
	result  string
	insight string
	shows   []show
	// liked is the share of people who say something good, of those who say anything.
	liked float64
	// corrections are what the others say should have been done.
	corrections []string
}

type step struct {
	thought string // empty where the agent said nothing
	name    string
	result  string // JSON
}

// A show is a canvas as people met it.
type show struct {
	canvasType, component string
	// shortest and longest bound how long it stays open, in seconds.
	shortest, longest float64
	present           string // the metadata of its first action, JSON
	// then is what happens between its being presented and closed.
	then []event
}

type event struct {
	action   string
	metadata string // JSON
}

// agents are who works, by key.
var agents = []struct{ key, name string }{
	{"analyst", "Data analyst"},
	{"clerk", "Back office clerk"},
	{"on-call", "Operations on call"},
	{"support", "Customer support"},
	{"writer", "Sales writer"},
}

// people are who answers to what they are shown.
var people = []string{"amina", "jonas", "priya", "tomás", "wei"}

// slots are the words that a story chooses from.
var slots = map[string][]string{
	"customer": {"Northwind Bakery", "Halden Optics", "Bluebird Travel", "Kestrel Bikes", "Marlow & Finch", "Orchard Clinic", "Sable Hotels", "Tern Logistics"},
	"person":   {"Mrs Okafor", "Mr Lindqvist", "Ms Moreau", "Mr Tanaka", "Mrs Alvarez", "Mr Novak"},
	"region":   {"EMEA", "North America", "Asia Pacific", "Latin America"},
	"quarter":  {"first quarter", "second quarter", "third quarter", "fourth quarter"},
	"product":  {"standing desk", "desk lamp", "monitor arm", "office chair", "noise-cancelling headset", "webcam"},
	"service":  {"checkout", "search", "billing", "notification", "inventory", "login"},
	"order":    {"A-10482", "A-11907", "A-12266", "A-13051", "A-14419", "A-15873", "A-16640", "A-17312"},
	"amount":   {"39.90", "74.50", "129.00", "248.00", "412.75", "899.00"},
	"version":  {"2.14.0", "2.15.1", "2.16.0", "3.0.0", "3.1.2", "3.2.0"},
	"file":     {"customers.csv", "leads-export.xlsx", "subscriptions.csv", "suppliers.xlsx", "stock-count.csv"},
	"year":     {"2023", "2024", "2025"},
}

// tasks are all kinds of work, by task type.
var tasks = func() map[string]task {
	all := map[string]task{}
	for _, t := range [][]task{analystTasks, operationsTasks, supportTasks, officeTasks} {
		for _, task := range t {
			all[task.name] = task
		}
	}
	return all
}()

// stories are the sessions there are: the tasks of one conversation in order, of which those marked
// with "after" were made necessary by the one before. The list is walked again and again.
var stories = [][]part{
	{{task: "sales_report"}, {task: "sales_report"}},
	{{task: "order_status"}, {task: "refund_request", after: true}},
	{{task: "incident_triage"}, {task: "service_rollout", after: true}},
	{{task: "tax_form"}},
	{{task: "data_cleanup"}, {task: "sales_report", after: true}, {task: "outreach_email", after: true}},
	{{task: "order_status"}},
	{{task: "service_rollout"}, {task: "incident_triage", after: true}, {task: "service_rollout", after: true}},
	{{task: "outreach_email"}, {task: "outreach_email"}},
	{{task: "tax_form"}, {task: "data_cleanup"}},
	{{task: "refund_request"}, {task: "order_status"}, {task: "refund_request", after: true}},
	{{task: "incident_triage"}},
}

type part struct {
	task  string
	after bool
}

// slotNames are the slots in an order of their own, since that of a map is left to chance.
var slotNames = slices.Sorted(maps.Keys(slots))
