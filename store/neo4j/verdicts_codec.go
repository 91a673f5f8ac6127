package neo4j

import (
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// verdictProperties are what a verdict's node holds from the start.
func verdictProperties(tenant string, record *store.VerdictRecord) (parameters, error) {
	v := &record.Verdict
	properties := parameters{
		"tenant": tenant, "key": v.Key, "run": v.RunKey, "section": v.SectionKey, "sectionType": v.SectionType,
		"context": jsonOrNothing(v.Context), "judge": v.JudgeID, "status": string(v.Status), "score": v.Score,
		"iteration": v.Iteration, "patterns": orNothing(v.Patterns), "feedback": v.Feedback,
		"strengths": orNothing(v.Strengths), "fixes": orNothing(v.Fixes), "plan": jsonOrNothing(v.Plan),
		"at": instant(v.At), "inputHash": hashText(record.InputHash),
	}
	if len(v.Issues) > 0 {
		issues, err := memory.JSONOf(v.Issues)
		if err != nil {
			return nil, err
		}
		properties["issues"] = string(issues)
	}
	encodeReceipt(properties, v.Receipt)
	return properties, nil
}

// jsonOrNothing leaves null out of a node; JSON text is never empty.
func jsonOrNothing(value memory.JSON) any {
	if len(value) == 0 {
		return nil
	}
	return string(value)
}

func decodeVerdict(row *neo4j.Record) (*memory.Verdict, error) {
	node, err := column[neo4j.Node]("v")(row)
	f := &fields{node: node, err: err}
	return f.verdict(), f.err
}

func (f *fields) verdict() *memory.Verdict {
	return &memory.Verdict{
		Judgement: f.judgement(), Feedback: f.optionalText("feedback"), Strengths: list[string](f, "strengths"),
		Fixes: list[string](f, "fixes"), Plan: f.json("plan"), Receipt: f.receipt(),
	}
}

// decodeJudgement reads a row of a query that ends in the part judgement.
func decodeJudgement(row *neo4j.Record) (memory.Judgement, error) {
	f, err := judgementFields(row)
	if err != nil {
		return memory.Judgement{}, err
	}
	return f.judgement(), f.err
}

// judgementFields reads a judgement later.
func judgementFields(row *neo4j.Record) (*fields, error) {
	properties, err := column[map[string]any]("judgement")(row)
	return fieldsOf(properties), err
}

func (f *fields) judgement() memory.Judgement {
	return memory.Judgement{
		Key: f.key(memory.KindVerdict), RunKey: f.text("run"), SectionKey: f.text("section"), SectionType: f.text("sectionType"),
		Context: f.json("context"), JudgeID: f.optionalText("judge"), Status: word[memory.VerdictStatus](f, "status"),
		Score: f.optionalNumber("score"), Iteration: f.count("iteration"), Issues: f.issues(),
		Patterns: list[string](f, "patterns"), Label: optional[bool](f, "label"), LabelledBy: f.optionalText("labelledBy"),
		At: f.instant("at"),
	}
}

func (f *fields) issues() []memory.Issue {
	issues := []memory.Issue{}
	if text := f.optionalText("issues"); text != nil {
		f.check("issues", decodeKept(*text, &issues))
	}
	return issues
}
