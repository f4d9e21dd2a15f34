import { isIp, isReachableAddress, parseIpRanges, parseUrl } from '@sluice/core'

/** What user code may fetch, and how much. */
export interface FetchOptions {
  /**
   * 'public': any host with a public address. Otherwise host patterns: `api.example.com`, or `*.example.com` for every
   * host below (not itself), or an IP address. Ports are not restricted.
   */
  readonly allow: 'public' | readonly string[]
  /**
   * Ranges such as `10.1.0.0/16`, or `localhost`, that may be reached although they are not public. The host must be
   * allowed as well.
   */
  readonly allowAddresses?: readonly string[]
  /** Time limit of one call including redirects, without the wait for its turn. */
  readonly timeMs?: number
  /** Largest body after decompression. */
  readonly responseBytesMax?: number
  readonly requestBytesMax?: number
  /** Most concurrent calls of one batch; further calls wait. */
  readonly concurrency?: number
  readonly redirectsMax?: number
  readonly callsPerBatchMax?: number
  /** Resolves a host name to addresses. Default: the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
}

export const defaultFetchLimits = {
  timeMs: 10_000,
  responseBytesMax: 1024 * 1024,
  requestBytesMax: 1024 * 1024,
  concurrency: 10,
  redirectsMax: 5,
  /** Five calls for each event of a batch of 200. */
  callsPerBatchMax: 1_000,
} as const

/** Longest URL. Most servers refuse longer ones. */
const urlCharsMax = 16 * 1024

/**
 * Decides which URLs and addresses may be fetched. Source of rules and messages:
 * packages/docs/behaviour/user-code.md#fetch.
 */
export interface FetchRules {
  /** @throws Error with a message for user code when the URL may not be fetched. */
  check(url: string): URL
  isReachable(address: string): boolean
}

/** @throws RangeError when a pattern or range is invalid. */
export function createFetchRules(allow: FetchOptions['allow'], allowAddresses: readonly string[]): FetchRules {
  const ranges = parseIpRanges(allowAddresses)
  const isAllowedHost = allow === 'public' ? () => true : matcherOf(allow)
  const isReachable = (address: string): boolean => isReachableAddress(address, ranges)
  return {
    isReachable,
    check: (text) => {
      const url = parsed(text)
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw new Error('invalid protocol, only http and https are supported')
      if (url.username !== '' || url.password !== '')
        throw new Error('invalid url, credentials in the url are not allowed')
      const host = bareHost(url)
      if (!isAllowedHost(host)) throw new Error('invalid url, blocked host requests are not allowed')
      // A name is checked when it is resolved; a literal address is never resolved, so check it here.
      if (isIp(host) !== 0 && !isReachable(host)) throw new Error(`blocked request to non-public address: ${host}`)
      return url
    },
  }
}

function parsed(text: string): URL {
  if (text.length > urlCharsMax) throw new Error(`invalid url, it has more than ${urlCharsMax} characters`)
  const url = parseUrl(text)
  if (url === undefined) throw new Error('invalid url, Invalid URL')
  return url
}

/** Returns the host name or address without IPv6 brackets and trailing dot. */
function bareHost({ hostname }: URL): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return bare.endsWith('.') ? bare.slice(0, -1) : bare
}

function matcherOf(patterns: readonly string[]): (host: string) => boolean {
  const exact = new Set<string>()
  const below: string[] = []
  for (const pattern of patterns) {
    const wild = pattern.startsWith('*.')
    const host = canonicalHost(wild ? pattern.slice(2) : pattern)
    // An address has no hosts below it.
    if (host === undefined || (wild && isIp(host) !== 0)) throw new RangeError(`${pattern} is not a host pattern`)
    if (wild) below.push(`.${host}`)
    else exact.add(host)
  }
  return (host) => exact.has(host) || below.some((suffix) => host.endsWith(suffix))
}

/** Returns the host as URLs write it: lower case, international names in ASCII. */
function canonicalHost(host: string): string | undefined {
  if (/[/:@?#*\s\\]/.test(host) && isIp(host) === 0) return undefined
  const text = isIp(host) === 6 ? `http://[${host}]/` : `http://${host}/`
  const url = parseUrl(text)
  return url && bareHost(url)
}
