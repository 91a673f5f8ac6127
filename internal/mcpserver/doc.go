// Package mcpserver is the door of agents that speak the Model Context Protocol: tools, resources and a
// prompt over the same service methods as the GraphQL resolvers. One server answers over standard input
// and output and over streamable HTTP.
//
// A tool is one value of type tool, in the file of what it is about, and one line in the list of tools in server.go.
// A body is a whole record, as full answers and resources give it; what is empty is left out.
package mcpserver
