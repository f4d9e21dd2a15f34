import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { parseUrl } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import type { Dispatcher } from 'undici'
import { type FetchRequest, parseFetchRequest, redirected } from './fetch-request.ts'
import { createFetchRules, defaultFetchLimits, type FetchOptions, type FetchRules } from './fetch-rules.ts'
import type { FetchedText, GuestFetch } from './guest-fetch.ts'

/**
 * Creates a fetch that reaches only what the rules allow. Literal addresses are checked on every hop. Names are checked
 * when they are resolved for the connection, so that a name cannot change its address between check and use.
 * @throws RangeError when a rule is invalid.
 */
export function createGuestFetch(options: FetchOptions): GuestFetch {
  const limits = withDefaults(defaultFetchLimits, options)
  const rules = createFetchRules(options.allow, options.allowAddresses ?? [])
  const resolve = options.resolve ?? systemAddresses
  let client: Promise<Client> | undefined

  return async (url, requestOptions, signal) => {
    let current = rules.check(url)
    let request = parseFetchRequest(requestOptions, limits.requestBytesMax)
    const timer = AbortSignal.timeout(limits.timeMs)
    const stop = AbortSignal.any([signal, timer])
    client ??= loadClient(rules, resolve)
    try {
      const send = await client
      for (let hops = 0; ; hops += 1) {
        const response = await send(current, request, stop)
        const target = redirectTarget(response, current, request)
        if (target === undefined) return await read(response, current, limits.responseBytesMax)
        await response.body?.cancel()
        if (request.redirect === 'error') throw new FetchRefusal('uri requested responds with a redirect')
        if (hops >= limits.redirectsMax) throw new FetchRefusal(`maximum redirect reached at: ${target.href}`)
        const next = rules.check(target.href)
        request = redirected(request, response.status, next.origin === current.origin)
        current = next
      }
    } catch (thrown) {
      if (timer.aborted)
        throw new Error(`request to ${current.href} failed, reason: no answer within ${limits.timeMs} ms`)
      throw describe(thrown, current)
    }
  }
}

/** A reason that user code may see. */
class FetchRefusal extends Error {}

type Client = (url: URL, request: FetchRequest, signal: AbortSignal) => Promise<Response>
type Response = Awaited<ReturnType<typeof import('undici').fetch>>

/** Loaded with the first call, because most programs fetch nothing. */
async function loadClient(rules: FetchRules, resolve: NonNullable<FetchOptions['resolve']>): Promise<Client> {
  const { Agent, fetch } = await import('undici')
  const dispatcher: Dispatcher = new Agent({
    connect: { lookup: checkedLookup(rules, resolve), timeout: defaultFetchLimits.timeMs },
    // A connection, and so its checked address, is not reused after this time.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: 32 * 1024,
  })
  return (url, { method, headers, body }, signal) =>
    fetch(url.href, { dispatcher, redirect: 'manual', method, headers: [...headers], body: body ?? null, signal })
}

async function systemAddresses(hostname: string): Promise<readonly string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address)
}

/** Resolves names for connections and returns only reachable addresses. */
function checkedLookup(rules: FetchRules, resolve: NonNullable<FetchOptions['resolve']>): LookupFunction {
  return (hostname, options, callback) => {
    const refuse = (reason: string): void => callback(new FetchRefusal(reason), '', 0)
    const answer = (addresses: readonly string[]): void => {
      const reachable = addresses.filter((address) => rules.isReachable(address))
      const [first] = addresses
      const [chosen] = reachable
      if (first === undefined) refuse(`unable to resolve IP address for ${hostname}`)
      else if (chosen === undefined) refuse(`cannot use ${first} as IP address for ${hostname}`)
      else if (options.all === true)
        callback(
          null,
          reachable.map((address) => ({ address, family: isIP(address) })),
        )
      else callback(null, chosen, isIP(chosen))
    }
    resolve(hostname).then(answer, () => answer([]))
  }
}

function redirectTarget(response: Response, from: URL, { redirect }: FetchRequest): URL | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(response.status)
  const location = isRedirect && redirect !== 'manual' ? response.headers.get('location') : null
  if (location === null) return undefined
  const target = parseUrl(location, from)
  if (target === undefined) throw new FetchRefusal('uri requested responds with an invalid redirect URL')
  if (target.hash === '') target.hash = from.hash
  return target
}

async function read(response: Response, url: URL, bytesMax: number): Promise<FetchedText> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Counts bytes after decompression, so that a small response cannot become a large one.
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > bytesMax) throw new FetchRefusal(`response body has more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  const headers: Record<string, string> = Object.fromEntries(response.headers)
  // Each cookie has an entry of its own; other repeated headers are joined.
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies.join(', ')
  return { url: url.href, status: response.status, headers, text: new TextDecoder().decode(Buffer.concat(chunks)) }
}

function describe(thrown: unknown, url: URL): Error {
  if (thrown instanceof Error && rulesText.test(thrown.message)) return thrown
  return new Error(`request to ${url.href} failed, reason: ${reasonOf(thrown)}`)
}

const rulesText = /^(?:invalid url|invalid protocol|blocked request)/

/** Returns our own message or the code of a network error. Other messages may contain details of the host system. */
function reasonOf(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    if (error instanceof FetchRefusal) return error.message
    if ('code' in error && typeof error.code === 'string' && /^[A-Z0-9_]{2,60}$/.test(error.code)) return error.code
  }
  return 'network error'
}
