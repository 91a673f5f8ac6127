// Package importer reads records from files of several formats and records them through the service.
// Every record has a key, the file's own or one made from its content, so that an import that was
// broken off is resumed by running it again: what is there already stays as it is.
package importer
