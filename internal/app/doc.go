// Package app puts mneme together: configuration, the store it names, the service over it and the
// HTTP server in front, with their life cycle. Commands and tests run the same App.
package app
