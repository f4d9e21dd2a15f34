import { isIP } from 'node:net'
import { isReachableAddress, type JsonObject, type JsonValue, parseIpRanges } from '@sluice/core'

/** An address in settings that requests may not be sent to. */
interface RefusedAddress {
  /** Where it is in the settings, such as `webhookUrl` or `servers[0]`. */
  readonly path: string
  /** The host, without what else the address may hold. */
  readonly host: string
  /** What to allow: `localhost`, or the address. */
  readonly range: string
}

/** Deepest settings that are searched, and longest text that can be an address. */
const depthMax = 8
const lengthMax = 2_000

/**
 * Finds addresses of this machine and of private networks in settings that are not allowed, so that this can be said before
 * the first event fails. Names of hosts other than localhost are not looked up.
 * @param allowed ranges, as in the option `allowAddresses`.
 */
export function refusedAddresses(settings: JsonObject, allowed: readonly string[]): readonly RefusedAddress[] {
  const ranges = parseIpRanges(allowed)
  const found: RefusedAddress[] = []
  const search = (value: JsonValue | undefined, path: string, depth: number): void => {
    if (depth > depthMax) return
    if (typeof value === 'string') {
      for (const host of hostsIn(value)) {
        const isLocal = /^(?:.+\.)?localhost$/.test(host)
        const address = isLocal ? '127.0.0.1' : host
        if (isIP(address) === 0 || isReachableAddress(address, ranges)) continue
        found.push({ path, host, range: isLocal || /^(?:127\.|::1$)/.test(host) ? 'localhost' : host })
      }
    } else if (Array.isArray(value)) for (const [i, item] of value.entries()) search(item, `${path}[${i}]`, depth + 1)
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value))
        search(member, path === '' ? name : `${path}.${name}`, depth + 1)
  }
  search(settings, '', 0)
  return found
}

/** Returns the hosts of a URL, of a host with or without a port, and of a list of such with commas. */
function hostsIn(text: string): readonly string[] {
  if (text.length > lengthMax) return []
  return text.split(',').flatMap((part) => {
    const given = part.trim()
    const url = given.includes('://')
      ? given
      : /^[\w.[\]:-]+$/.test(given)
        ? `x://${isIP(given) === 6 ? `[${given}]` : given}`
        : ''
    if (!URL.canParse(url)) return []
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase()
    return host === '' ? [] : [host]
  })
}
