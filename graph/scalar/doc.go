// Package scalar turns the GraphQL scalars into Go values and back. It is stricter than gqlgen's own
// scalars: a number is no string, an Int has 32 bits, and a Float is finite, as the GraphQL specification
// asks, so that a fault is named where it was made instead of being stored.
package scalar
