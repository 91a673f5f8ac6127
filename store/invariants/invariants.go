// Package invariants is what must hold of a tenant's memory, and the two ways through it: an examination counts what
// breaks each, a rebuild mends it. The stores give the statements.
package invariants

// Invariant is what must hold, by its name in the stores.
type Invariant struct {
	Name string
	// Part is that of an examination, and of what a rebuild tells.
	Part string
	// Fault is what is wrong, after how often; "" for what is examined otherwise.
	Fault string
}

// All are the invariants in the order of mending. A store has those that its schema does not keep.
var All = []Invariant{
	{"indexes", "indexes", ""},
	{"dangling", "references", "rows lead to records that are gone"},
	{"keyless", "references", "records have no key: nothing finds them"},
	{"lost_passages", "references", "passages are of records that are gone"},
	{"lost_events", "references", "events of logs are of episodes that are gone"},
	{"crossing", "links", "links lead to other tenants"},
	{"misnamed", "links", "links repeat other ids than their records have, so that walks miss them"},
	{"unlinked", "owners", "records are not linked with what they belong to"},
	{"mislinked", "owners", "records are linked with another than they belong to"},
	{"unlisted", "owners", "episodes are found by other executions than they list"},
	{"misjudged", "owners", "verdicts repeat another run than their section's"},
	{"misshown", "owners", "canvases repeat another agent than their episode's"},
	{"miscounted", "counters", "episodes have wrong counts or sums"},
	{"mislogged", "counters", "logs have another length than is said"},
	{"misawaited", "waiting", "canvases or feedback say wrongly whether they wait"},
	{"arrived", "waiting", "records wait for something that is there"},
	{"idle", "waiting", "entries are waited for by nobody"},
	{"missummed", "profiles", "profiles do not sum up their executions"},
	{"uncounted", "profiles", "episodes with a task type and an outcome are in no profile"},
	{"length", "settings", ""},
	{"failing", "traces", ""},
	{"unsaid", "passages", "records have other passages than they say"},
	{"unindexed", "passages", "passages are not in the index of words, or words in it have no passage"},
	{"uncoded", "passages", "passages have what no vector can be"},
	{"numbers", "passages", "last numbers of passages are wrong"},
}

// Parts are those of an examination of a tenant, in order.
var Parts = []string{
	"settings", "what was deleted", "records", "references", "links", "owners", "counters", "waiting", "profiles", "traces", "passages", "meanings",
}
