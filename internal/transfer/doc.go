// Package transfer writes all that a tenant keeps as lines of JSON, and reads such lines again. The same
// tenant gives the same bytes, whatever store it is in: fields have a fixed order, what is null or empty is
// left out, numbers and times have one spelling, and lines come in the order of store.Transfer.
//
// A line is {"kind": …, "kept": {…}}. The word kept tells it from a record that somebody wrote by hand
// ({"kind": …, "record": {…}}), which goes through the service as if it came in by the API.
package transfer
