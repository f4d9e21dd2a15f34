import { onAbort, parseUrl } from '@sluice/core'
import type { ActionCall, DeliveryRequest } from '@sluice/destinations'
import type { SegmentCore } from '../peer/segment-core.ts'
import type { SegmentRequest, SegmentRequestOptions } from '../peer/segment-definition.ts'
import { ActionResponse } from './action-response.ts'
import { mergeOptions } from './merge-options.ts'
import { RequestError } from './request-error.ts'
import { toDeliveryRequest } from './to-delivery-request.ts'

interface RequestClientOptions {
  readonly send: ActionCall['send']
  readonly core: Pick<SegmentCore, 'HTTPError'>
  /** Options of every request, as `extendRequest` of the definition returns them. */
  readonly shared: SegmentRequestOptions
}

/** Milliseconds for a request that names no `timeout`. */
const timeMsDefault = 10_000
const redirectsMax = 5

/**
 * Creates the request client that actions get, over the transport of delivery. Its options and results are those of
 * Segment's request client. Redirects are followed, each as a request of its own, so that the checks of addresses apply.
 * `agent` and `skipResponseCloning` have no effect.
 */
export function createRequestClient({ send, core, shared }: RequestClientOptions): SegmentRequest {
  const ask = async (url: string, own: SegmentRequestOptions): Promise<ActionResponse> => {
    const options = mergeOptions(shared, own)
    const { timeout, throwHttpErrors } = options
    const timeMs = typeof timeout === 'number' ? timeout : timeout === false ? undefined : timeMsDefault
    let request = await toDeliveryRequest(String(url), options)
    for (let redirects = 0; ; redirects += 1) {
      const reply = await unlessAborted(send(request, timeMs), options['signal'])
      if (reply.kind !== 'reply')
        throw new RequestError(reply.message, reply.code, reply.kind === 'network' && reply.code !== 'ENOTFOUND')
      if (reply.isCut)
        throw new RequestError('The reply is longer than the limit of 4 MiB.', 'ERR_REPLY_TOO_LONG', false)
      const next = redirects < redirectsMax ? redirected(request, reply.status, reply.headers['location']) : undefined
      if (next) {
        request = next
        continue
      }
      const response = new ActionResponse(reply, request.endpoint, options)
      if (!response.ok && throwHttpErrors !== false) throw new core.HTTPError(response, request, options)
      return response
    }
  }
  return (url, own = {}) => {
    const response = ask(url, own)
    // Actions do not wait for every request; a failed one must not end the process.
    response.catch(() => {})
    return response
  }
}

/** Stops waiting when the action aborts its request. The request itself ends with its time limit. */
async function unlessAborted<T>(reply: Promise<T>, signal: unknown): Promise<T> {
  if (!(signal instanceof AbortSignal)) return reply
  const aborted = (): RequestError => new RequestError('The action aborted the request.', 'ABORT_ERR', true)
  if (signal.aborted) {
    // It is not waited for; its failure must not end the process.
    reply.catch(() => {})
    throw aborted()
  }
  let unwatch = (): void => {}
  const end = new Promise<never>((_, reject) => {
    unwatch = onAbort(signal, () => reject(aborted()))
  })
  return Promise.race([reply, end]).finally(unwatch)
}

/** Headers that a request to another origin keeps. Any other may be a credential, whatever its name (`x-api-key`). */
const headersForOthers: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
])

/** Headers that describe a body. */
const bodyHeaders: ReadonlySet<string> = new Set(['content-type', 'content-length'])

/**
 * Returns the request that follows a redirect, or undefined when the reply is the result. Bodies stay within the origin:
 * they may have credentials too. Source: WHATWG Fetch, HTTP-redirect fetch.
 */
function redirected(
  request: DeliveryRequest,
  status: number,
  location: string | undefined,
): DeliveryRequest | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  const to = parseUrl(location, request.endpoint)
  if (to === undefined) return undefined
  const leaves = to.origin !== new URL(request.endpoint).origin
  const becomesGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST'
  if (leaves && !becomesGet && hasBody(request)) return undefined
  const isKept = (name: string): boolean =>
    (!leaves || headersForOthers.has(name)) && (!becomesGet || !bodyHeaders.has(name))
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => isKept(name)))
  const empty = { JSON: {}, JSON_ARRAY: {}, XML: {}, FORM: {} }
  return {
    ...request,
    endpoint: to.href,
    headers,
    ...(becomesGet ? { method: 'GET', body: empty } : {}),
  }
}

function hasBody({ body }: DeliveryRequest): boolean {
  return Object.values(body).some((part: object) => Object.keys(part).length > 0)
}
