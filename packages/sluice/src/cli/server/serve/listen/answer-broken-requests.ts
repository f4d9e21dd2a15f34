import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody } from '@sluice/http/error-body'
import { safeHeaders } from '@sluice/http/safe-headers'

/** Refusals by the code of the error of Node's parser; other errors mean that what arrived is not HTTP. */
const refusals: Readonly<Record<string, readonly [status: number, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headersTooLarge', 'the headers of the request are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'bodyTooLarge', 'the extensions of a chunk of the body are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'requestTooSlow', 'the request arrived too slowly'],
}
const json = { ...safeHeaders, 'content-type': 'application/json', connection: 'close' }
const notHttp = [400, 'requestInvalid', 'the request is invalid: it is not HTTP'] as const

/**
 * Answers requests that Node's HTTP server refuses itself, before any handler sees them, in the same shape and with the
 * same headers as all others, and closes their connections. Without it, they get an empty answer.
 */
export function answerBrokenRequests(server: Server): void {
  /** The newest answer of each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', ({ socket }: IncomingMessage, outgoing) => answers.set(socket, outgoing))
  server.on('checkExpectation', ({ headers }: IncomingMessage, outgoing: ServerResponse) => {
    const expected = headers.expect?.slice(0, 100)
    const { lines, body } = refusal(
      'expectationFailed',
      `the request expects ${expected}; only 100-continue is possible`,
    )
    outgoing.writeHead(417, lines).end(body)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const before = answers.get(socket)
    // Another answer must not follow in the middle of one.
    const isAnswering = before?.headersSent && !before.writableFinished
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) socket.destroy()
    else socket.end(textOf(...(refusals[error.code ?? ''] ?? notHttp)), () => socket.destroy())
  })
}

function textOf(status: number, code: string, message: string): string {
  const { lines, body } = refusal(code, message)
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`
}

function refusal(code: string, message: string) {
  const body = JSON.stringify(errorBody(code, message))
  return { lines: { ...json, 'content-length': Buffer.byteLength(body) }, body }
}
