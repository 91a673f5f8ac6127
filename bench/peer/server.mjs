// The enriched episode through @neo4j/graphql on Apollo Server, over the database that mneme wrote.
import http from 'node:http'
import { ApolloServer, HeaderMap } from '@apollo/server'
import { Neo4jGraphQL } from '@neo4j/graphql'
import { GraphQLScalarType } from 'graphql'
import neo4j from 'neo4j-driver'

// The library formats its own DateTime with APOC, which a Neo4j as it comes does not have; a scalar of our own
// costs it less.
const Instant = new GraphQLScalarType({ name: 'Instant', serialize: String })

const typeDefs = `
  scalar Instant
  type Agent @node {
    tenant: String!
    key: String!
    name: String!
  }
  type Canvas @node {
    key: String!
    canvasType: String!
    componentType: String
    actionKinds: [String!]!
    actionMetadata: [String!]!
    actionTimes: [Instant!]!
    createdAt: Instant!
  }
  type Feedback @node {
    key: String!
    type: String!
    rating: Int
    score: Float!
    corrections: String
    createdBy: String
    createdAt: Instant!
  }
  type Episode @node {
    tenant: String!
    key: String!
    title: String!
    observation: String!
    thoughts: [String!]
    actionNames: [String!]
    actionResults: [String!]
    result: String
    outcome: String!
    insight: String!
    startedAt: Instant!
    endedAt: Instant
    feedbackSum: Float!
    feedbackCount: Int!
    canvasActionCount: Int!
    agent: [Agent!]! @relationship(type: "RAN", direction: IN)
    canvases: [Canvas!]! @relationship(type: "PRESENTED", direction: OUT)
    feedback: [Feedback!]! @relationship(type: "RECEIVED", direction: OUT)
  }
`

const { NEO4J_URL, NEO4J_USER, NEO4J_PASSWORD, ADDRESS } = process.env
const driver = neo4j.driver(NEO4J_URL, neo4j.auth.basic(NEO4J_USER, NEO4J_PASSWORD))
const schema = await new Neo4jGraphQL({ typeDefs, driver, resolvers: { Instant } }).getSchema()
const apollo = new ApolloServer({ schema })
await apollo.start()

// Apollo's own HTTP adapter, without a web framework in between.
const server = http.createServer(async (request, response) => {
  if (request.url === '/healthz') return response.end('ok')
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = new HeaderMap()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
  const answer = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method, headers, search: '', body: JSON.parse(Buffer.concat(chunks).toString()),
    },
    context: async () => ({}),
  })
  for (const [name, value] of answer.headers) response.setHeader(name, value)
  response.statusCode = answer.status ?? 200
  response.end(answer.body.string)
})
const [host, port] = ADDRESS.split(':')
server.listen(Number(port), host)
process.on('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await apollo.stop()
  await driver.close()
})
