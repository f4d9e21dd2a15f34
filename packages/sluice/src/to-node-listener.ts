import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { NodeFetch, PlainAnswer } from '@sluice/http'
import { errorBody } from '@sluice/http/error-body'
import { safeHeaders } from '@sluice/http/safe-headers'
import { consumedBody } from './mounted-fetch.ts'
import type { FetchArea } from './sluice.ts'

/** Stands for the host in requests of HTTP/1.0, which need not name one. Health checks of load balancers do not. */
const hostOfOldClients = 'localhost'

/** Longest Host header: a name in DNS has at most 253 characters, a port six. Longer ones can take long to convert to ASCII. */
const hostLengthMax = 260

/**
 * Returns a request listener for Node's HTTP server, and for frameworks built on it such as Express and Fastify, from a
 * fetch handler (a pipeline, or one of its areas). No body parser may run before it: a request whose body was read is
 * answered with 500, `bodyConsumed`. Common calls of ingestion do not become requests of the fetch API; answers are the same.
 * See packages/docs/guides/mount.md#in-express.
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createSluice, toNodeListener } from 'sluice'
 *
 * const sluice = await createSluice({
 *   workspace: { id: 'shop', sources: [{ id: 'web', writeKey: 'web-key' }], destinations: [], connections: [] },
 * })
 * const server = createServer(toNodeListener(sluice))
 * console.log(server.listening) // false
 * await sluice.stop()
 * ```
 */
export function toNodeListener(handler: FetchArea): (request: IncomingMessage, response: ServerResponse) => void {
  const listener = getRequestListener((request, env) => handler.fetch(request, env), {
    overrideGlobalObjects: false,
    hostname: hostOfOldClients,
    errorHandler: answerToError,
  })
  const { takeFromNode }: NodeFetch = handler.fetch
  return (request, response) => {
    if (request.readableDidRead && hasBody(request)) {
      const { status, body } = consumedBody
      response.writeHead(status, { ...safeHeaders, 'content-type': 'application/json' }).end(JSON.stringify(body))
    } else if ((request.headers.host?.length ?? 0) > hostLengthMax) {
      const body = errorBody('requestInvalid', `the request is invalid: Host has more than ${hostLengthMax} characters`)
      response.writeHead(400, { ...safeHeaders, 'content-type': 'application/json' }).end(JSON.stringify(body))
    } else void answer(request, response)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const taking = takeFromNode?.(request, response)
    const plain = taking && (await taking)
    if (plain === undefined) await listener(request, response)
    // A program around it may have answered in the meantime.
    else if (!response.headersSent) writePlain(plain, response)
  }
}

/** Writes what the app would, in the same order. */
function writePlain({ contentType, body }: PlainAnswer, response: ServerResponse): void {
  response.writeHead(200, {
    'cache-control': safeHeaders['cache-control'],
    'content-type': contentType,
    'x-content-type-options': safeHeaders['x-content-type-options'],
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** Answers requests whose address or host is invalid, which reach no handler, and handlers that fail. */
async function answerToError(error: unknown): Promise<Response> {
  const [status, body] =
    error instanceof RequestError
      ? [400, errorBody('requestInvalid', `the request is invalid: ${error.message}`)]
      : [500, errorBody('internal', 'internal error')]
  return Response.json(body, { status, headers: safeHeaders })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
