// Package examine looks for what is wrong in a directory and in the tenants' files, part by part, and says how it can be
// mended. It reads by SQL what records repeat of one another; what it cannot decide of records, it asks (Records).
package examine
