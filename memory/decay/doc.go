// Package decay says what age and use do to weight: the half-life by which ranking, selection and engagement prefer
// what is recent, and the policies by which observations lose weight until they are pruned. The policy in which time
// fades follows Wixted & Ebbesen (1991) and Bjork & Bjork (1992).
package decay
