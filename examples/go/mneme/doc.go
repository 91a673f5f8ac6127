// Package mneme is a typed client of mneme, with one function for each operation of operations.graphql.
package mneme

//go:generate go tool genqlient ../genqlient.yaml
