package demo

import (
	"context"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/service"
)

// Knowledge is what the agents of the sample know beside their experiences.
type Knowledge struct {
	Memoir       service.CreateMemoirInput
	Concepts     []service.AddConceptInput
	Refinements  []service.RefineConceptInput
	Relations    []service.LinkConceptsInput
	Observations []service.RecordObservationInput
	Corrections  []service.RecordCorrectionInput
}

const memoirKey = "demo-handbook"

// note is a concept of the handbook.
type note struct{ key, name, content, label string }

var notes = []note{
	{"refund-policy", "Refund policy", "Goods that are broken or came too late are refunded within 30 days of the order, to the original payment method. Above 100 EUR a photo is needed.", "support"},
	{"refund-policy-2023", "Refund policy of 2023", "A refund was possible within 14 days of the order, as a voucher.", "support"},
	{"voucher-first", "Voucher first", "Offer a voucher before a refund.", "support"},
	{"refund-check", "Refund check", "Look up the age of the order before anything is promised, and take the transaction id from it.", "support"},
	{"parcel-tracking", "Parcel tracking", "The carrier knows where a parcel is; our own record only knows that it was shipped.", "support"},
	{"chart-choice", "Chart choice", "Compare groups with sorted bars. Lines are for one or two things over time.", "analysis"},
	{"line-chart", "Line chart", "Up to two lines can be told apart; twelve cannot.", "analysis"},
	{"bar-chart", "Bar chart", "Sorted bars are read at a glance.", "analysis"},
	{"canary", "Canary", "One instance first. Compare its errors with the baseline for ten minutes, then roll out the rest.", "operations"},
	{"rollback", "Rollback", "Where errors began with a rollout, it goes back first; the cause can wait.", "operations"},
	{"restart", "Restart", "A restart destroys what the logs would have shown.", "operations"},
	{"personnel-file", "Personnel file", "Forms are filled in from the personnel file only; what it does not say stays open.", "office"},
}

var noteLinks = []struct {
	source string
	kind   memory.RelationType
	target string
}{
	{"refund-policy-2023", memory.RelationSupersededBy, "refund-policy"},
	{"voucher-first", memory.RelationContradicts, "refund-policy"},
	{"refund-check", memory.RelationDependsOn, "refund-policy"},
	{"parcel-tracking", memory.RelationRelatedTo, "refund-check"},
	{"line-chart", memory.RelationInstanceOf, "chart-choice"},
	{"bar-chart", memory.RelationInstanceOf, "chart-choice"},
	{"bar-chart", memory.RelationAlternativeTo, "line-chart"},
	{"rollback", memory.RelationCausedBy, "canary"},
	{"restart", memory.RelationAlternativeTo, "rollback"},
}

// mentioned are the concepts that the episodes of a task type mention.
var mentioned = map[string][]string{
	"refund_request":  {"refund-policy", "refund-check"},
	"order_status":    {"parcel-tracking"},
	"sales_report":    {"chart-choice"},
	"incident_triage": {"rollback", "restart"},
	"tax_form":        {"personnel-file"},
}

// seen is what an agent noticed, so many days before the last one of the sample. Those of a session stand
// next to each other.
type seen struct {
	key, session string
	days         int
	importance   memory.Importance
	content      string
	about        []string
}

var sightings = []seen{
	{"sorting-centre-1", "demo-notes-carrier", 40, memory.ImportanceLow, "Why do parcels to Asia Pacific take so long?", nil},
	{"sorting-centre-2", "demo-notes-carrier", 40, memory.ImportanceMedium, "They wait three days at the sorting centre, every time.", []string{"concept:" + noteKey("parcel-tracking"), "agent:support"}},
	{"payment-provider", "demo-notes-carrier", 39, memory.ImportanceHigh, "The payment provider refuses refunds without a transaction id.", []string{"concept:" + noteKey("refund-check")}},
	{"region-filter-1", "demo-notes-reports", 25, memory.ImportanceLow, "What happened to the region filter of the sales report?", nil},
	{"region-filter-2", "demo-notes-reports", 25, memory.ImportanceMedium, "It fails where a region has no sales, and the query then runs without it.", []string{"agent:analyst"}},
	{"rollouts-on-fridays", "demo-notes-rollouts", 12, memory.ImportanceCritical, "Rollouts on a Friday afternoon have nobody to watch the canary.", []string{"concept:" + noteKey("canary"), "agent:on-call"}},
	{"tax-numbers", "demo-notes-forms", 5, memory.ImportanceMedium, "The portal refuses tax numbers with 10 digits; 11 are needed.", []string{"concept:" + noteKey("personnel-file")}},
}

var putRight = []struct {
	key, topic, prediction, correction string
	importance                         memory.Importance
	about                              string
}{
	{"refund-days", "refund", "A refund is possible within 14 days.", "It is possible within 30 days.", memory.ImportanceHigh, "refund-policy"},
	{"refund-form", "refund", "Customers get a voucher.", "They get the money back, to the original payment method.", memory.ImportanceMedium, "refund-policy"},
	{"regional-chart", "charts", "People want to see all twelve regions as lines.", "They want sorted bars, the largest first.", memory.ImportanceMedium, "chart-choice"},
	{"canary-time", "rollout", "Five minutes at the canary are enough.", "Ten minutes: caches need that long to fill.", memory.ImportanceHigh, "canary"},
}

func noteKey(key string) string { return "demo-" + key }

// newKnowledge tells what is known; its times count from the anchor, like those of the episodes.
func newKnowledge(anchor time.Time) Knowledge {
	k := Knowledge{Memoir: service.CreateMemoirInput{
		ID: new(memoirKey), Name: "Handbook (demo)", Description: new("How work is done here, and what changed."),
	}}
	for _, n := range notes {
		k.Concepts = append(k.Concepts, service.AddConceptInput{
			ID: new(noteKey(n.key)), MemoirID: memoirKey, Name: n.name, Content: n.content, Labels: []string{n.label},
		})
	}
	k.Refinements = []service.RefineConceptInput{{
		ID: noteKey("canary"), Content: new("One instance first. Compare its errors with the baseline for ten minutes, never on a Friday afternoon, then roll out the rest."),
	}}
	for _, l := range noteLinks {
		k.Relations = append(k.Relations, service.LinkConceptsInput{SourceID: noteKey(l.source), TargetID: noteKey(l.target), Type: l.kind})
	}
	for i, s := range sightings {
		at := anchor.AddDate(0, 0, -s.days).Add(10*time.Hour + time.Duration(i)*time.Minute)
		k.Observations = append(k.Observations, service.RecordObservationInput{
			ID: new(noteKey(s.key)), SessionID: new(s.session), Content: s.content, Importance: new(s.importance), AboutIDs: s.about, At: &at,
		})
	}
	for i, p := range putRight {
		k.Corrections = append(k.Corrections, service.RecordCorrectionInput{
			ID: new(noteKey(p.key)), Topic: p.topic, Prediction: p.prediction, Correction: p.correction, Importance: new(p.importance),
			CreatedBy: new(people[i%len(people)]), AboutIDs: []string{memory.NodeID(memory.KindConcept, noteKey(p.about))},
		})
	}
	return k
}

// record records it; what is there already stays as it is.
func (k Knowledge) record(ctx context.Context, tenant *service.Tenant) error {
	if err := whole(tenant.Knowledge.CreateMemoirs(ctx, []service.CreateMemoirInput{k.Memoir})); err != nil {
		return err
	}
	if err := whole(tenant.Knowledge.AddConcepts(ctx, k.Concepts)); err != nil {
		return err
	}
	for _, refinement := range k.Refinements {
		if _, err := tenant.Knowledge.RefineConcept(ctx, refinement); unlessGone(err) != nil {
			return fmt.Errorf("concept %s: %w", refinement.ID, err)
		}
	}
	if err := whole(tenant.Knowledge.ImportRelations(ctx, k.Relations)); err != nil {
		return err
	}
	if err := whole(tenant.Knowledge.RecordObservations(ctx, service.RecordObservationsInput{Observations: k.Observations})); err != nil {
		return err
	}
	return whole(tenant.Knowledge.RecordCorrections(ctx, k.Corrections))
}
