import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { FetchArea } from './sluice.ts'

/**
 * Makes a fetch handler (a pipeline, or one of its areas) answer requests of Node's own HTTP server, and of what is built on
 * it, such as Express and Fastify. The body must not have been read by others: see EMBEDDING.md.
 */
export function toNodeListener(handler: FetchArea): (request: IncomingMessage, response: ServerResponse) => void {
  const listener = getRequestListener((request, env) => handler.fetch(request, env), { overrideGlobalObjects: false })
  return (request, response) => {
    void listener(request, response)
  }
}
