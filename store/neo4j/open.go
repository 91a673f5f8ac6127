package neo4j

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/keyring"
	"mneme/store/neo4j/passages"
)

// Backend is an open connection to a Neo4j. It is safe for concurrent use.
type Backend struct {
	*keyring.Ring

	connection *bolt.Connection

	schema  string                     // names the version node
	tenants store.WeakMap[tenantStore] // with what they have learnt
	vectors passages.Vectors
}

var _ store.Backend = (*Backend)(nil)

// Open connects to a Neo4j and makes the schema of a new database. It returns store.ErrUnavailable where no server
// answers or it refuses the credentials, and store.ErrSchemaVersion where another version made the data.
func Open(ctx context.Context, options Options) (*Backend, error) {
	address, err := url.Parse(options.URL)
	if err != nil || address.Host == "" {
		return nil, fmt.Errorf("%w: the address of Neo4j must be like neo4j://host:7687", store.ErrInvalid)
	}
	auth := neo4j.NoAuth()
	if options.User != "" {
		auth = neo4j.BasicAuth(options.User, options.Password, "")
	}
	driver, err := neo4j.NewDriverWithContext(options.URL, auth, func(c *config.Config) {
		c.UserAgent = "mneme"
		c.FetchSize = neo4j.FetchAll // every answer is bounded by its query: one round trip for any
		c.TelemetryDisabled = true
		c.MaxTransactionRetryTime = 10 * time.Second // then the caller hears that the server is away
	})
	if err != nil {
		return nil, fmt.Errorf("%w: the address of Neo4j must be like neo4j://host:7687, and nothing more", store.ErrInvalid)
	}
	b := &Backend{schema: options.schema, vectors: passages.Vectors{Coded: !options.WithoutVectors, Embeddings: options.Embeddings}, connection: &bolt.Connection{
		Driver: driver, Turns: store.NewTurns(maxReadsAtOnce, maxReadsOfOne), Database: options.Database,
		Address: (&url.URL{Scheme: address.Scheme, Host: address.Host}).String(), Observer: options.Observer, OnStatement: nil,
	}}
	b.Ring = &keyring.Ring{Connection: b.connection}
	if b.schema == "" {
		b.schema = "mneme"
	}
	if err := b.prepare(ctx); err != nil {
		return nil, errors.Join(b.connection.Fault(ctx, err), driver.Close(context.WithoutCancel(ctx)))
	}
	return b, nil
}

// The reads that there are at once, of all requests and of one. The driver has 100 connections, of which writes need
// some; more reads than these would wait for each other within the server.
const (
	maxReadsAtOnce = 32
	maxReadsOfOne  = 8
)

// prepare learns the name of the database, which saves the driver from asking each time, and makes the schema.
func (b *Backend) prepare(ctx context.Context) error {
	soon, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	server, err := b.connection.Driver.GetServerInfo(soon)
	if err != nil {
		return err
	}
	if !supported(server.Agent()) {
		return fmt.Errorf("%w: %s answers at %s; mneme needs Neo4j %s or newer",
			store.ErrUnavailable, server.Agent(), b.connection.Address, oldestServer)
	}
	if b.connection.Database == "" {
		names, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("database")}, bolt.Column[string]("name"))
		if err != nil {
			return err
		}
		if len(names) != 1 {
			return fmt.Errorf("the server names %d databases as the user's own", len(names))
		}
		b.connection.Database = names[0]
	}
	return b.makeSchema(ctx)
}

// answerTime is how long a server may take to answer at all. Making the schema may take longer.
const answerTime = 30 * time.Second

const oldestServer = "5.26"

// supported says whether a server that names itself so has what the queries use. One of another make speaks for itself
// when it refuses a query.
func supported(agent string) bool {
	var major, minor int
	named, _ := fmt.Sscanf(agent, "Neo4j/%d.%d", &major, &minor)
	return named < 2 || major > 5 || major == 5 && minor >= 26
}

// Tenant binds a tenant; see store.Backend.
func (b *Backend) Tenant(_ context.Context, id string) (store.Store, error) {
	if !store.TenantID.MatchString(id) {
		return nil, fmt.Errorf("%w: tenant %q", store.ErrInvalid, id)
	}
	return b.bind(id), nil
}

// bind gives a tenant, the same for the same id as long as anybody has it.
func (b *Backend) bind(id string) *tenantStore {
	return b.tenants.Bind(id, func() *tenantStore { return newTenantStore(b, id) })
}

// Has says whether a tenant has its node, or anything else; see store.Backend.
func (b *Backend) Has(ctx context.Context, id string) (bool, error) {
	return bolt.One(ctx, b.connection, newTenantStore(b, id).Query(cypher.Named("has_tenant"), nil), bolt.Column[bool]("has"))
}

// Due lists the tenants of which spans are held, or vectors due; see store.Backend.
func (b *Backend) Due(ctx context.Context) ([]string, error) {
	due, err := bolt.Read(ctx, b.connection, bolt.Query{
		Statement: cypher.Named("due_tenants"), Within: bolt.ReadTime, Parameters: cypher.Parameters{"vectors": b.vectors.Coded},
	}, bolt.Column[string]("tenant"))
	if err != nil || !b.vectors.Embeddings.Made {
		return due, err
	}
	all, err := b.Tenants(ctx) // of any the vectors of an endpoint may be due
	return slices.Compact(slices.Sorted(slices.Values(append(all, due...)))), err
}

// Pool says how much is read now; see store.Backend.
func (b *Backend) Pool() store.Pool { return b.connection.Turns.Pool() }

// Check reads and locks for writing without changing anything; see store.Backend.
func (b *Backend) Check(ctx context.Context) error {
	q := bolt.Query{Statement: cypher.Named("check"), Write: true, Parameters: cypher.Parameters{"name": b.schema}}
	versions, err := bolt.Read(ctx, b.connection, q, bolt.AnyColumn("version")) // which the examination compares
	switch {
	case err != nil && errors.Is(err, store.ErrUnavailable), ctx.Err() != nil:
		return err
	case err != nil:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	case len(versions) == 0:
		return fmt.Errorf("%w: the database at %s has lost its schema", store.ErrUnavailable, b.connection.Address)
	}
	return nil
}

// Describe names the server and the database.
func (b *Backend) Describe() string {
	return fmt.Sprintf("neo4j at %s, database %s", b.connection.Address, b.connection.Database)
}

// Close closes all connections; see store.Backend.
func (b *Backend) Close(ctx context.Context) error { return b.connection.Driver.Close(ctx) }

// Options say where a Neo4j is and how to speak to it.
type Options struct {
	// URL is the address: neo4j://host:7687 routes within a cluster and works for a single server too;
	// neo4j+s:// does so over TLS, bolt:// speaks to one server only.
	URL string
	// User and Password authenticate; an empty User goes without.
	User, Password string
	// Database names the database; empty means the user's home database.
	Database string
	// WithoutVectors makes no vectors of what records say (see store.Store).
	WithoutVectors bool
	// Embeddings says whether an endpoint makes vectors, too.
	Embeddings store.Embeddings
	// Observer is told of every statement as it is sent, once per round trip, and of commits; nil for nobody.
	Observer store.Observer

	// schema names the version node, so that tests of versions leave a shared server alone.
	schema string
}

// Trouble is what keeps a Neo4j from being used.
type Trouble struct {
	Code string // the server's own, or NoAnswer; "" for what is no answer of a server
	Says string // the server's own words
}

// The codes of what a person can do something about. With another the server refuses for a reason that it says.
const (
	NoAnswer        = "no server answers"
	Unauthorized    = "Neo.ClientError.Security.Unauthorized"            // a wrong password, or an unknown user
	TooManyAttempts = "Neo.ClientError.Security.AuthenticationRateLimit" // so many wrong passwords that the server wants a pause
	NoSuchDatabase  = "Neo.ClientError.Database.DatabaseNotFound"
)

// TroubleOf finds in an error of Open what the trouble is.
func TroubleOf(err error) Trouble {
	var answer *neo4j.Neo4jError
	var connection *neo4j.ConnectivityError
	switch {
	case errors.As(err, &answer):
		return Trouble{Code: answer.Code, Says: answer.Msg}
	case errors.As(err, &connection), errors.Is(err, context.DeadlineExceeded):
		return Trouble{Code: NoAnswer}
	}
	return Trouble{}
}
