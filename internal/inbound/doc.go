// Package inbound bounds what clients send, before anything is built of it: how many connections there are, in all and
// of one client, whose address a proxy may tell, how long bodies may take to arrive, and what a text of JSON may hold.
package inbound
