import { setTimeout as sleep } from 'node:timers/promises'
import { doublingMs, isJsonObject, type JsonObject } from '@sluice/core'
import type { HttpClient } from '@sluice/delivery'
import { WarehouseError } from '../../load/warehouse-error.ts'

interface JsonRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A text is a form, an object JSON. */
  readonly body?: object | string
  /** Where it is sent again, when the product does it once however often it arrives. Absent when it does not. */
  readonly repeatUrl?: string
}

export interface JsonReply {
  readonly status: number
  /** Empty when the body is not a JSON object. */
  readonly body: JsonObject
}

export interface SendJsonOptions {
  readonly http: Pick<HttpClient, 'open'>
  readonly signal: AbortSignal
  /** Names the product in errors, such as `Snowflake my-account`. */
  readonly place: string
}

const attemptsMax = 4
/** Waits of 250, 500 and 1,000 ms. */
const backoff = { baseMs: 250, capMs: 1_000 }
const requestMs = 120_000
const replyBytesMax = 64 * 1024 * 1024

/**
 * Sends a request to the API of a product. Repeats it a few times when it was refused for load (429 and 503), and, if it
 * has a `repeatUrl`, after failures with an unknown end.
 *
 * @returns the last reply, whatever its status. @throws WarehouseError when there is none.
 */
export async function sendJson(request: JsonRequest, options: SendJsonOptions): Promise<JsonReply> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === attemptsMax
    try {
      const url = attempt === 1 ? request.url : (request.repeatUrl ?? request.url)
      const reply = await sendOnce({ ...request, url }, options)
      const isRefused = reply.status === 429 || reply.status === 503
      if (isLast || !(isRefused || (request.repeatUrl !== undefined && reply.status >= 500))) return reply
    } catch (error) {
      options.signal.throwIfAborted()
      if (isLast || request.repeatUrl === undefined || codeOf(error) === 'EADDRREFUSED')
        throw networkProblem(error, options.place)
    }
    await sleep(doublingMs(attempt, backoff), undefined, { signal: options.signal })
  }
}

async function sendOnce(request: JsonRequest, { http, signal }: SendJsonOptions): Promise<JsonReply> {
  const { method, url, headers, body } = request
  const isForm = typeof body === 'string'
  const type: Record<string, string> =
    body === undefined ? {} : { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }
  const ending = AbortSignal.any([signal, AbortSignal.timeout(requestMs)])
  const reply = await http.open(
    {
      method,
      url: new URL(url),
      headers: { accept: 'application/json', ...type, ...headers },
      body: body === undefined ? null : Buffer.from(isForm ? body : JSON.stringify(body)),
    },
    { signal: ending },
  )
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of reply.body) {
    bytes += (chunk as Buffer).length
    if (bytes > replyBytesMax) throw new Error(`the answer is larger than ${replyBytesMax} bytes`)
    chunks.push(chunk as Buffer)
  }
  return { status: reply.status, body: parsed(Buffer.concat(chunks).toString()) }
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'NETWORK'
}

function networkProblem(error: unknown, place: string): WarehouseError {
  const code = codeOf(error)
  const message = (error instanceof Error && error.message) || code
  const hint =
    code === 'EADDRREFUSED'
      ? 'Allow the address with --allow-address.'
      : 'Check the settings that name the server, and the network; the load is repeated.'
  return new WarehouseError(`${place}: ${message.replace(/\.?$/, '.')} ${hint}`, code)
}
