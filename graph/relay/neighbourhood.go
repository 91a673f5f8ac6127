package relay

import (
	"mneme/service/recalling"
)

// Neighbourhood is a page of what is around a record.
type Neighbourhood struct{ *recalling.Neighbourhood }

// Around gives what is around a record its shape, nil for nil, or passes the error of reading it on.
func Around(around *recalling.Neighbourhood, err error) (*Neighbourhood, error) {
	if err != nil || around == nil {
		return nil, err
	}
	return &Neighbourhood{around}, nil
}

// PageInfo says where the page lies.
func (n *Neighbourhood) PageInfo() PageInfo { return infoOf(n.Page) }
