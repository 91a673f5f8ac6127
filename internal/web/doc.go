// Package web serves the browser pages of mneme: the explorer and the GraphQL playground. Their
// build is embedded, so that they work without a network.
//
// The files under dist are written by `npm run build` in explorer/ and committed. Everything there but
// the pages is stored in gzip form only.
package web
