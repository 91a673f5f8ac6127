// Package auth decides which requests may reach the API: who presents the key of the server, and,
// where it has none, who came by a name of this machine.
package auth
