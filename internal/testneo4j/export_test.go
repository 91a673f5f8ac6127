package testneo4j

// Named is what Reach asks the environment for.
var Named = named
