package examine

import (
	"fmt"

	"mneme/store/sqlite/learning"
)

// profiles looks at what sums up executions.
func (e *examiner) profiles() (diagnosis, error) {
	miscounted, err := e.count(`SELECT count(*) ` + learning.Miscounted)
	if err != nil {
		return diagnosis{}, err
	}
	wrong, err := learning.Missummed(e.ctx, e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	miscounted += len(wrong)
	uncounted, err := e.count(`SELECT count(*) ` + learning.Uncounted)
	switch {
	case err != nil:
		return diagnosis{}, err
	case miscounted > 0:
		return diagnosis{
			fault:  fmt.Sprintf("%d profiles do not sum up their executions", miscounted),
			remedy: "Sum up anew what can be read of their executions.", mendFile: inWriter(learning.SumUp),
		}, nil
	case uncounted > 0:
		return diagnosis{
			fault:  fmt.Sprintf("%d episodes with a task type and an outcome are in no profile", uncounted),
			remedy: "Count them.", mendFile: inWriter(learning.CountUncounted),
		}, nil
	}
	return diagnosis{found: "each sums up its executions"}, nil
}

// executions looks for executions without the links that follow from rows.
func (e *examiner) executions() (diagnosis, error) {
	lost, err := learning.LostLinks(e.ctx, e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	without, err := e.count(`SELECT count(DISTINCT x.id) ` + learning.WithoutEpisode)
	if err != nil || len(lost)+without == 0 {
		return diagnosis{found: "each is linked with its profile and its episode"}, err
	}
	return diagnosis{
		fault:    fmt.Sprintf("%d executions are not linked with the profile that has them, %d not with the episode that they are", len(lost), without),
		remedy:   "Link them again, as the rows of profiles and the keys of executions say.",
		mendFile: inWriter(learning.LinkExecutions),
	}, nil
}
