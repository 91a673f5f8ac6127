package demo

import "mneme/memory"

const (
	fewRows   = "the five largest rows, and the rest in one"
	everyRow  = "every row, with the total last"
	shownRows = "the first forty rows"
)

// tables are the rulings of the tables of each report, which come last: what the team reads is no use to the board, and
// the other way round, so that what history says of them depends on the audience.
var tables = [][]ruling{
	tablesOf("orders", "Forty rows; the board reads five.", 6.2, 8.3, 8.4),
	tablesOf("suppliers", "Thirty suppliers, of whom four matter.", 5.8, 8.1, 8.6),
	tablesOf("prices", "Every price of the catalogue, in its order.", 6.0, 8.4, 8.2),
	tablesOf("refunds", "Nobody on the board reads sixty refunds.", 6.3, 8.2, 8.5),
}

// tablesOf are the rulings of a table for the board, which has too many rows first, and of the same for the team.
func tablesOf(section, says string, refused, board, team float64) []ruling {
	of := func(audience, pattern string, status memory.VerdictStatus, score float64) ruling {
		return ruling{section: section + "_" + audience, kind: "table", audience: audience, judge: critic, status: status, score: score, pattern: pattern}
	}
	first := of("board", shownRows, memory.VerdictSoftFail, refused)
	first.says, first.code, first.area, first.fix = says, "TOO_MANY_ROWS", "TABLE", "Show the five largest and the rest together"
	return []ruling{first, of("board", fewRows, memory.VerdictApprove, board), of("team", everyRow, memory.VerdictApprove, team)}
}
