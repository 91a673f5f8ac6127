package relay

import (
	"mneme/service/recalling"
)

// Neighbourhood is a page of what is around a record.
type Neighbourhood struct{ around *recalling.Neighbourhood }

// Around gives what is around a record its shape, nil for nil, or passes the error of reading it on.
func Around(around *recalling.Neighbourhood, err error) (*Neighbourhood, error) {
	if err != nil || around == nil {
		return nil, err
	}
	return &Neighbourhood{around}, nil
}

// Nodes are the records with their distances.
func (n *Neighbourhood) Nodes() []recalling.NeighbourNode { return n.around.Nodes }

// Edges are the links among them and to nearer ones.
func (n *Neighbourhood) Edges() []recalling.GraphEdge { return n.around.Edges }

// Truncated says whether there may be more that is not looked for.
func (n *Neighbourhood) Truncated() bool { return n.around.Truncated }

// PageInfo says where the page lies.
func (n *Neighbourhood) PageInfo() PageInfo { return infoOf(n.around.Page) }
