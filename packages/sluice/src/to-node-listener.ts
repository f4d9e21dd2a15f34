import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { consumedBody } from './mounted-fetch.ts'
import type { FetchArea } from './sluice.ts'

/**
 * Returns a request listener for Node's HTTP server, and for frameworks built on it such as Express and Fastify, from a
 * fetch handler (a pipeline, or one of its areas). No body parser may run before it: a request whose body was read is
 * answered with 500, `bodyConsumed`. See EMBEDDING.md.
 */
export function toNodeListener(handler: FetchArea): (request: IncomingMessage, response: ServerResponse) => void {
  const listener = getRequestListener((request, env) => handler.fetch(request, env), { overrideGlobalObjects: false })
  return (request, response) => {
    if (request.readableDidRead && hasBody(request)) {
      const { status, body } = consumedBody
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } else void listener(request, response)
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
