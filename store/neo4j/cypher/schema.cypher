// What the database has before anything is stored: constraints, indexes and a version.

// name: database
// The name of the database that is used where none is configured.
CALL db.info() YIELD name
RETURN name

// name: check
// Takes a lock, as whoever may write can.
MATCH (s:MnemeSchema {name: $name})
SET s.version = s.version
RETURN s.version AS version

// name: version
// The version of the schema, null for a new database, and whether it is lost.
OPTIONAL MATCH (s:MnemeSchema {name: $name})
RETURN s.version AS version,
       s.version IS NULL AND EXISTS { (:Tenant) } AND (s IS NOT NULL OR NOT EXISTS { (:MnemeSchema) }) AS lost LIMIT 1

// name: set_version
MERGE (s:MnemeSchema {name: $name})
SET s.version = $version

// name: schema
// Everything here is idempotent, one statement at a time.
CREATE CONSTRAINT mneme_agent IF NOT EXISTS FOR (n:Agent) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_session IF NOT EXISTS FOR (n:Session) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_person IF NOT EXISTS FOR (n:Person) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_episode IF NOT EXISTS FOR (n:Episode) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_canvas IF NOT EXISTS FOR (n:Canvas) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_feedback IF NOT EXISTS FOR (n:Feedback) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_memoir IF NOT EXISTS FOR (n:Memoir) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_memoir_name IF NOT EXISTS FOR (n:Memoir) REQUIRE (n.tenant, n.name) IS UNIQUE;
CREATE CONSTRAINT mneme_concept IF NOT EXISTS FOR (n:Concept) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_concept_name IF NOT EXISTS FOR (n:Concept) REQUIRE (n.tenant, n.memoir, n.name) IS UNIQUE;
CREATE CONSTRAINT mneme_observation IF NOT EXISTS FOR (n:Observation) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_correction IF NOT EXISTS FOR (n:Correction) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_learning_profile IF NOT EXISTS FOR (n:LearningProfile) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_execution IF NOT EXISTS FOR (n:Execution) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_run IF NOT EXISTS FOR (n:Run) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_section IF NOT EXISTS FOR (n:Section) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_verdict IF NOT EXISTS FOR (n:Verdict) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_pattern IF NOT EXISTS FOR (n:Pattern) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_section_type IF NOT EXISTS FOR (n:SectionType) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_judge_threshold IF NOT EXISTS FOR (n:JudgeThreshold) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_execution_id IF NOT EXISTS FOR (n:ExecutionID) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_waiting IF NOT EXISTS FOR (n:Waiting) REQUIRE (n.tenant, n.kind, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_held_span IF NOT EXISTS FOR (n:HeldSpan) REQUIRE (n.tenant, n.trace, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_log_event IF NOT EXISTS FOR (n:LogEvent) REQUIRE (n.tenant, n.episode, n.sequence) IS UNIQUE;
CREATE CONSTRAINT mneme_failing_trace IF NOT EXISTS FOR (n:FailingTrace) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_tombstone IF NOT EXISTS FOR (n:Tombstone) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_tenant IF NOT EXISTS FOR (n:Tenant) REQUIRE (n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_risen_alert IF NOT EXISTS FOR (n:RisenAlert) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT mneme_notice_log IF NOT EXISTS FOR (n:NoticeLog) REQUIRE (n.tenant) IS UNIQUE;
CREATE CONSTRAINT mneme_access_key IF NOT EXISTS FOR (n:AccessKey) REQUIRE (n.key) IS UNIQUE;

// Orders of lists: each page is a stretch of one index.
CREATE INDEX mneme_episode_started IF NOT EXISTS FOR (n:Episode) ON (n.tenant, n.startedAt, n.key);
CREATE INDEX mneme_episode_agent IF NOT EXISTS FOR (n:Episode) ON (n.tenant, n.agent, n.startedAt, n.key);
CREATE INDEX mneme_episode_session IF NOT EXISTS FOR (n:Episode) ON (n.tenant, n.session, n.startedAt, n.key);
CREATE INDEX mneme_episode_task_type IF NOT EXISTS FOR (n:Episode) ON (n.tenant, n.taskType, n.startedAt, n.key);
CREATE INDEX mneme_episode_user IF NOT EXISTS FOR (n:Episode) ON (n.tenant, n.user, n.startedAt, n.key);
CREATE INDEX mneme_episode_feedback IF NOT EXISTS FOR (n:Episode) ON (n.tenant, n.feedbackRank, n.startedAt, n.key);
CREATE INDEX mneme_episode_agent_task_type IF NOT EXISTS FOR (n:Episode) ON (n.tenant, n.agent, n.taskType);
CREATE INDEX mneme_canvas_episode IF NOT EXISTS FOR (n:Canvas) ON (n.tenant, n.episode, n.createdAt, n.key);
CREATE INDEX mneme_canvas_agent IF NOT EXISTS FOR (n:Canvas) ON (n.tenant, n.agent, n.createdAt, n.key);
CREATE INDEX mneme_canvas_session IF NOT EXISTS FOR (n:Canvas) ON (n.tenant, n.session, n.createdAt, n.key);
CREATE INDEX mneme_canvas_waiting IF NOT EXISTS FOR (n:Canvas) ON (n.tenant, n.waiting, n.createdAt, n.key);
CREATE INDEX mneme_feedback_waiting IF NOT EXISTS FOR (n:Feedback) ON (n.tenant, n.waiting, n.createdAt, n.key);
CREATE INDEX mneme_feedback_session IF NOT EXISTS FOR (n:Feedback) ON (n.tenant, n.session, n.createdAt, n.key);
CREATE INDEX mneme_feedback_episode IF NOT EXISTS FOR (n:Feedback) ON (n.tenant, n.episode, n.createdAt, n.key);
CREATE INDEX mneme_feedback_canvas IF NOT EXISTS FOR (n:Feedback) ON (n.tenant, n.canvas, n.createdAt, n.key);
CREATE INDEX mneme_observation_created IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.createdAt, n.key);
CREATE INDEX mneme_observation_session IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.session, n.createdAt, n.key);
CREATE INDEX mneme_correction_created IF NOT EXISTS FOR (n:Correction) ON (n.tenant, n.createdAt, n.key);
CREATE INDEX mneme_held_span_arrived IF NOT EXISTS FOR (n:HeldSpan) ON (n.tenant, n.trace, n.arrivedAt, n.ends);
CREATE INDEX mneme_correction_topic IF NOT EXISTS FOR (n:Correction) ON (n.tenant, n.topic, n.createdAt, n.key);
CREATE INDEX mneme_run_started IF NOT EXISTS FOR (n:Run) ON (n.tenant, n.startedAt, n.key);
CREATE INDEX mneme_verdict_at IF NOT EXISTS FOR (n:Verdict) ON (n.tenant, n.at, n.key);
CREATE INDEX mneme_verdict_run IF NOT EXISTS FOR (n:Verdict) ON (n.tenant, n.run, n.at, n.key);
CREATE INDEX mneme_verdict_section IF NOT EXISTS FOR (n:Verdict) ON (n.tenant, n.section, n.at, n.key);
CREATE INDEX mneme_verdict_judge IF NOT EXISTS FOR (n:Verdict) ON (n.tenant, n.judge, n.at, n.key);
CREATE INDEX mneme_verdict_section_type IF NOT EXISTS FOR (n:Verdict) ON (n.tenant, n.sectionType, n.at, n.key);
CREATE INDEX mneme_judge_threshold_judge IF NOT EXISTS FOR (n:JudgeThreshold) ON (n.tenant, n.judge);
CREATE INDEX mneme_pattern_rate IF NOT EXISTS FOR (n:Pattern) ON (n.tenant, n.rate, n.total, n.key);
CREATE INDEX mneme_pattern_section_type IF NOT EXISTS FOR (n:Pattern) ON (n.tenant, n.sectionType, n.rate, n.total, n.key);
CREATE INDEX mneme_pattern_kind IF NOT EXISTS FOR (n:Pattern) ON (n.tenant, n.kind, n.sectionType, n.rate, n.total, n.key);
CREATE INDEX mneme_pattern_any_context IF NOT EXISTS FOR (n:Pattern) ON (n.tenant, n.contextKey, n.rate, n.total, n.key);
CREATE INDEX mneme_pattern_context IF NOT EXISTS
FOR (n:Pattern) ON (n.tenant, n.kind, n.sectionType, n.contextKey, n.rate, n.total, n.key);
CREATE INDEX mneme_learning_profile_agent IF NOT EXISTS FOR (n:LearningProfile) ON (n.tenant, n.agent, n.taskType);
CREATE INDEX mneme_learning_profile_task_type IF NOT EXISTS FOR (n:LearningProfile) ON (n.tenant, n.taskType, n.agent);

// Notices have either a number or are waiting for one. Their records have marks.
CREATE INDEX mneme_notice_number IF NOT EXISTS FOR (n:Notice) ON (n.tenant, n.number);
CREATE INDEX mneme_episode_notice IF NOT EXISTS FOR (n:Episode) ON (n.tenant, n.notice);
CREATE INDEX mneme_feedback_notice IF NOT EXISTS FOR (n:Feedback) ON (n.tenant, n.notice);
CREATE INDEX mneme_verdict_notice IF NOT EXISTS FOR (n:Verdict) ON (n.tenant, n.notice);
CREATE INDEX mneme_execution_notice IF NOT EXISTS FOR (n:Execution) ON (n.tenant, n.notice);
CREATE INDEX mneme_risen_alert_notice IF NOT EXISTS FOR (n:RisenAlert) ON (n.tenant, n.notice);
CREATE INDEX mneme_notice_waiting IF NOT EXISTS FOR (n:Notice) ON (n.tenant, n.waiting, n.at);

// Only what is archived has a time of its own, and so a place in this index.
CREATE INDEX mneme_execution_time IF NOT EXISTS FOR (n:Execution) ON (n.tenant, n.profile, n.at, n.key);

// All that the weight of an observation follows from, so that weights are computed from the index alone.
CREATE INDEX mneme_observation_weight IF NOT EXISTS
FOR (n:Observation) ON (n.tenant, n.importance, n.accessCount, n.usedAt, n.createdAt, n.key);

// Passages: the words of their texts as package lexical has them, and in owner whose they are and what filters ask for.
CREATE FULLTEXT INDEX mneme_passages IF NOT EXISTS
FOR (n:Passage) ON EACH [n.words, n.owner]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CREATE INDEX mneme_passage_due IF NOT EXISTS FOR (n:Passage) ON (n.tenant, n.due);
CREATE INDEX mneme_passage_change IF NOT EXISTS FOR (n:PassageChange) ON (n.tenant, n.at);
CREATE INDEX mneme_episode_boosted IF NOT EXISTS FOR (n:Episode) ON (n.tenant, n.boosted, n.startedAt, n.key);

// name: link_indexes
// The links of a type from each record, and to it, in the order of the other ends.
CREATE INDEX mneme_from_{{.}} IF NOT EXISTS FOR ()-[r:{{.}}]-() ON (r.tenant, r.from, r.to);
CREATE INDEX mneme_to_{{.}} IF NOT EXISTS FOR ()-[r:{{.}}]-() ON (r.tenant, r.to, r.from);

// name: await_indexes
CALL db.awaitIndexes(300)

// name: uncounted_episodes
// The next episodes of a tenant that are executions and that no profile counts, by key.
MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, key)
WHERE e.tenant = $tenant AND e.key > $after AND {{template "uncounted" .}}
RETURN e.key AS key ORDER BY e.tenant, e.key LIMIT $limit
