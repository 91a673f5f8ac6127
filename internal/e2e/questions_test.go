package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/demo"
	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// asked is a question in natural words, with the task types of the sample or the tasks of the airline that answer it.
// Both lists were written before anything was tuned; the second half of each was kept back until the end.
type asked struct{ question, answers string }

var sampleQuestions = []asked{
	{"A customer was charged twice and wants the money back", "refund_request"},
	{"quarterly report", "sales_report"},
	{"Where is the parcel? It has not arrived yet", "order_status"},
	{"The website is slow since we deployed the new version", "incident_triage"},
	{"Deploy the latest release of the search service to Europe", "service_rollout"},
	{"Remove duplicate rows from a spreadsheet", "data_cleanup"},
	{"An employee changed her home address, update the tax papers", "tax_form"},
	{"Write to a client who does not reply to our offer", "outreach_email"},
	{"How did revenue develop in each region?", "sales_report"},
	{"The item arrived damaged and the customer wants a refund", "refund_request"},

	{"Something is missing from the delivery", "order_status"},
	{"Users get timeouts when they log in", "incident_triage"},
	{"Tell our customers about the new headset", "outreach_email"},
	{"Upgrade billing to 3.1.2 with no outage", "service_rollout"},
	{"The CSV has several date formats and empty lines", "data_cleanup"},
	{"Withholding statement for a staff member", "tax_form"},
	{"Make a bar chart of sales per product", "sales_report"},
	{"The order came too late and is no longer wanted", "refund_request"},
	{"Can the shipping address of an order still be changed?", "order_status"},
	{"Too many errors, an alert went off", "incident_triage"},
}

var airlineQuestions = []asked{
	{"A passenger wants compensation because the flight was delayed", "16 37 45 46"},
	{"Cancel a flight because of a family emergency and get a full refund", "35"},
	{"Change the name of a passenger on a reservation", "43 4 5"},
	{"How many suitcases may a gold member take?", "44"},
	{"Downgrade business flights to economy to save money", "2"},
	{"The user booked two flights on the same day by mistake and wants to cancel one", "30 31"},
	{"Get a refund for travel insurance without cancelling the flight", "38"},
	{"Sum of gift card and certificate balances", "8 9"},
	{"Remove one passenger from a booking", "10 15"},
	{"Postpone the trip because the wife died", "48"},

	{"Pay for a new one way flight to Seattle with certificates", "0"},
	{"The cat is sick and the traveller has to get home sooner on a nonstop flight", "21 22"},
	{"Add insurance to a flight that is already booked", "36 35"},
	{"Cancel because the flight is on a best friend's birthday", "39"},
	{"The representative on the phone already approved the cancellation", "47"},
	{"Cancel a basic economy ticket and negotiate a partial refund or a voucher", "18"},
	{"Book the same flights again for a friend", "11 32"},
	{"Get out of Texas on a later flight, to Newark only", "1"},
	{"Cancel all flights so that somebody else can have the seat", "28 29"},
	{"Make the trip to Minneapolis business class for everyone and add two bags", "14"},
}

// leastRight says for how many questions the right sort of work comes first at least, and its share of the first five.
type leastRight struct {
	first int
	share float64
}

var ofTheSample, ofTheAirline = leastRight{18, 0.865}, leastRight{19, 0.92}

func TestQuestionsOnSQLite(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	testSampleQuestions(t, backend)
}

func TestQuestionsOnNeo4j(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	backend, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	testSampleQuestions(t, backend)
}

// testSampleQuestions asks the sample; testAirline asks the airline runs.
func testSampleQuestions(t *testing.T, backend store.Backend) {
	a := newAirline(t, backend)
	_, err := demo.Load(t.Context(), a.tenant, time.Now())
	require.NoError(t, err)
	a.testQuestions(t, sampleQuestions, 5, ofTheSample, func(e *memory.Episode) string { return *e.TaskType })
}

// testQuestions asks in natural words; so many episodes at least are of each sort. The right sort comes first, and is
// most of the first five, or of as many as there are.
func (a *airline) testQuestions(t *testing.T, questions []asked, each int, least leastRight, sort func(*memory.Episode) string) {
	t.Helper()
	first, among := 0, 0.0
	today := time.Now().UTC().Truncate(24 * time.Hour) // so that ages are the same at any hour
	for _, q := range questions {
		answers := strings.Fields(q.answers)
		topK := min(5, each*len(answers))
		answer, err := a.tenant.Retrieval.Recall(t.Context(), boundary.RecallInput{Situation: q.question, TopK: &topK, AsOf: &today, Variants: new(boundary.VariantsSeparate)}, boundary.Include{})
		require.NoError(t, err)
		require.NotEmpty(t, answer.Hits, q.question)
		right := 0
		for i, hit := range answer.Hits {
			if slices.Contains(answers, sort(hit.Episode)) {
				right++
				if i == 0 {
					first++
				}
			}
		}
		among += share(right, len(answer.Hits))
		if right < len(answer.Hits) {
			t.Logf("%s: %d of %d", q.question, right, len(answer.Hits))
		}
	}
	t.Logf("of %d questions the right sort of work comes first for %d, and is %.3f of the first five", len(questions), first, among/float64(len(questions)))
	assert.GreaterOrEqual(t, first, least.first)
	assert.GreaterOrEqual(t, among/float64(len(questions)), least.share)
}
