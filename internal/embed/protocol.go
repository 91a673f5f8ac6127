package embed

import "fmt"

type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

type response struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// place puts each vector where its index says, and checks that all are there and of one length.
func (c *Client) place(parsed response, vectors [][]float32) error {
	clear(vectors) // an earlier attempt may have filled some
	if len(parsed.Data) != len(vectors) {
		return fmt.Errorf("the embeddings endpoint answered %d vectors for %d texts", len(parsed.Data), len(vectors))
	}
	length := c.endpoint.Options.Dimensions
	for _, item := range parsed.Data {
		if item.Index < 0 || item.Index >= len(vectors) || vectors[item.Index] != nil {
			return fmt.Errorf("the embeddings endpoint answered index %d out of turn", item.Index)
		}
		if length == 0 {
			length = len(item.Embedding)
		}
		if len(item.Embedding) == 0 || len(item.Embedding) != length {
			return fmt.Errorf("the embeddings endpoint answered a vector of length %d instead of %d", len(item.Embedding), length)
		}
		vectors[item.Index] = item.Embedding
	}
	return nil
}
