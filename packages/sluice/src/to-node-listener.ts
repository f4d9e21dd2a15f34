import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { FetchArea } from './sluice.ts'

/**
 * Returns a request listener for Node's HTTP server, and for frameworks built on it such as Express and Fastify, from a
 * fetch handler (a pipeline, or one of its areas). No body parser may run before it: see EMBEDDING.md.
 */
export function toNodeListener(handler: FetchArea): (request: IncomingMessage, response: ServerResponse) => void {
  const listener = getRequestListener((request, env) => handler.fetch(request, env), { overrideGlobalObjects: false })
  return (request, response) => {
    void listener(request, response)
  }
}
