// Package auth decides which requests may reach the API, and as whom: who presents the key of the server, one of a
// tenant or a token of an issuer, and, where there is none of these, who came by a name of this machine. It slows down
// who tries keys, limits how often one may ask, and refuses pages of other origins.
package auth
