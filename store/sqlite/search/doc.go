// Package search finds the passages of a tenant, and what is asked of the records that they are from.
package search
