// The example is an agent with a memory. It recalls what came of situations like the one it meets, tells what
// it does, what a person did with it and thought of it, and how it ended; and then recalls what it learned.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/Khan/genqlient/graphql"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := work(ctx, connect(os.Getenv("MNEME_URL"), os.Getenv("MNEME_API_KEY"))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		cancel()
		os.Exit(1)
	}
}

// connect reaches the server at a URL such as http://127.0.0.1:8080, which is where it serves by default.
func connect(url, key string) graphql.Client {
	if url == "" {
		url = "http://127.0.0.1:8080"
	}
	return graphql.NewClient(url+"/graphql", &http.Client{Transport: withKey(key)})
}

// withKey is the API key, presented with each request; empty where the server asks for none.
type withKey string

// RoundTrip sends the request with the key.
func (key withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	if key != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+string(key))
	}
	return http.DefaultTransport.RoundTrip(request)
}
