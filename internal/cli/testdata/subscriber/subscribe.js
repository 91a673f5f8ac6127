// Subscribes with one of the npm clients and prints each answer as a line: node subscribe.js ws|sse URL KEY QUERY VARIABLES.
// The client does not try again by itself.
import { createClient as overSocket } from 'graphql-ws'
import { createClient as overEvents } from 'graphql-sse'
import WebSocket from 'ws'

const [, , kind, url, key, query, variables] = process.argv
const headers = key ? { Authorization: `Bearer ${key}` } : {}
const client =
  kind === 'ws'
    ? overSocket({
        url: url.replace(/^http/, 'ws'),
        retryAttempts: 0,
        webSocketImpl: class extends WebSocket {
          constructor(address, protocols) {
            super(address, protocols, { headers })
          }
        },
      })
    : overEvents({ url, headers, retryAttempts: 0 })

const say = (what) => process.stdout.write(JSON.stringify(what) + '\n')
client.subscribe(
  { query, variables: JSON.parse(variables) },
  {
    next: say,
    error: (reason) => {
      say({ failed: Array.isArray(reason) ? reason : String(reason?.reason ?? reason?.message ?? reason) })
      process.exit(1)
    },
    complete: () => process.exit(0),
  },
)
