// Asks with one of the npm clients, which names the query by its hash, and prints each request that it sends and each answer
// as a line: node ask.js apollo|urql URL QUERY. A subscription is answered by its first event.
import { createHash } from 'node:crypto'
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client/core'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { Client, fetchExchange } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'

const [, , kind, url, query] = process.argv
const say = (what) => process.stdout.write(JSON.stringify(what) + '\n')

const watched = async (address, options) => {
  const method = options?.method ?? 'GET'
  const text = method === 'POST' ? 'query' in JSON.parse(options.body) : new URL(address).searchParams.has('query')
  say({ method, text })
  return fetch(address, options)
}
const answered = (data, error) => {
  say(error ? { failed: error.graphQLErrors ?? error.errors ?? String(error) } : { data })
  process.exit(0)
}

if (kind === 'apollo') {
  const sha256 = (text) => createHash('sha256').update(text).digest('hex')
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.from([new PersistedQueryLink({ sha256, useGETForHashedQueries: true }), new HttpLink({ uri: url, fetch: watched })]),
  })
  client.query({ query: gql(query) }).then(({ data }) => answered(data), (error) => answered(null, error))
} else {
  const client = new Client({
    url,
    fetch: watched,
    fetchSubscriptions: true,
    preferGetMethod: false,
    exchanges: [persistedExchange({ preferGetForPersistedQueries: true, enableForSubscriptions: true }), fetchExchange],
  })
  const ask = query.startsWith('subscription') ? client.subscription(query, {}) : client.query(query, {})
  ask.subscribe(({ data, error }) => answered(data, error))
}
