// Package neo4j keeps the memory in Neo4j (5.26 or newer; Community is enough).
//
// Every record is a node with a label of its kind (Agent, Session, Episode, Canvas, Feedback, Memoir, Concept,
// Observation, Correction, LearningProfile, Execution, Run, Section, Verdict, Pattern) and the properties tenant and
// key, which are unique together; every link is a relationship (RAN, IN_SESSION, MENTIONS, PART_OF and so on), so that
// an analyst's own Cypher reads naturally. Keys of linked records stand on the nodes too, where a composite index gives
// a page in order without reading a hub; and every relationship carries the global ids of its ends, so that an index
// gives the neighbours of a hub in order, as many as are asked for.
//
// Nine labels are the store's own. Person is a user, whom episodes are FOR. ExecutionID is a name that feedback may
// give instead of an episode's key; the episode COVERS it. Waiting stands for what records name and nobody has recorded
// yet, which WAITS_FOR links. Tenant holds what a tenant has once: its input key, the length of its vectors.
// SectionType counts the sections of a type that completed runs had; its lock is that of the type's patterns. HeldSpan
// is a span whose trace is no episode yet, FailingTrace a trace that could not be made one. Tombstone is what stays of
// what was deleted for good. MnemeSchema, one in a database, is the version of its schema.
//
// Neo4j reads what is committed, without a snapshot. So every write first locks what it decides upon, in
// one order (see the statement lock), and decides on what it reads after that. A profile is many properties, which
// a reader may see of two writes; its checksums tell (see package learning).
package neo4j
