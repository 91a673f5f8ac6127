// Package summary says by rule what an episode was: its title, its steps, why it worked or failed, an account for a
// model. It repeats what the record holds and concludes nothing from it.
package summary
