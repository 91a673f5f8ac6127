// Package alerts puts what the other rules find wrong into one list that a person can work through: agents that get
// worse or are new to a task, tasks that nobody does well, judges that decide too much one way or drift from what
// people say, and issues that keep coming back. It computes nothing anew but what it compares.
package alerts
