package otlp

import "slices"

// ReadAttributes are the attributes that are read, for tests of what is kept of them.
var ReadAttributes = slices.Concat(agentNames, runNames, sessionNames, userNames, taskTypeNames, toolNames, callIDNames, toolGiven, toolGave, inputMessages,
	outputMessages, conversations, plainGiven, plainGave, providerNames, modelNames)
