// Package graduation says how far an agent is trusted to work by itself, from how its episodes went and how often
// people stepped in.
package graduation
