import { isIp, parseUrl } from '@sluice/core'
import { createAddressGuard } from '@sluice/delivery'

/**
 * Creates a function that returns why an address of a controller must not be called; undefined when it may. Names are looked
 * up with each call, by the same guard. Calls are sent over TLS; only to addresses that are not public, which the operator
 * has allowed, they may be sent without.
 */
export function createCallbackProblem(allowAddresses: readonly string[]): (url: string) => string | undefined {
  const guard = createAddressGuard(allowAddresses)
  return (text) => {
    const url = parseUrl(text)
    if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an address that begins with https://'
    if (url.username !== '' || url.password !== '') return 'must not have a user name or a password'
    const isLocal = url.hostname === 'localhost'
    const host = isLocal ? '127.0.0.1' : url.hostname.replace(/^\[|\]$/g, '')
    if (isRefused(guard, host)) return 'is not a public address'
    const isInternal = isIp(host) && isRefused(publicOnly, host)
    return url.protocol === 'https:' || isInternal ? undefined : 'must begin with https://'
  }
}

const publicOnly = createAddressGuard([])

function isRefused(guard: ReturnType<typeof createAddressGuard>, host: string): boolean {
  try {
    guard.check(new URL(`https://${host.includes(':') ? `[${host}]` : host}`))
    return false
  } catch {
    return true
  }
}
