// Package inbound bounds what clients send, before anything is built of it: how much of bodies is held at once and
// how long they may take to arrive, and what a text of JSON may hold.
package inbound
