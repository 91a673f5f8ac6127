// Audits a server with graphql-http and prints each result as a line: node audit.js URL.
import { auditServer } from 'graphql-http'

const [, , url] = process.argv
for (const { id, name, status, reason } of await auditServer({ url, fetchFn: fetch })) {
  process.stdout.write(JSON.stringify({ id, name, status, reason }) + '\n')
}
