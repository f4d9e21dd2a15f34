/** Credentials of an Authorization header. */
interface Authorization {
  /** User name of Basic authentication; '' with Bearer. */
  readonly user: string
  /** The password of Basic authentication, or the Bearer token. */
  readonly secret: string
}

/**
 * Reads a Basic or Bearer header; undefined when it is absent or neither.
 * @example
 * ```ts
 * import { parseAuthorization } from '@sluice/http'
 *
 * console.log(parseAuthorization('Bearer secret'), parseAuthorization('Digest x')) // { user: '', secret: 'secret' } undefined
 * ```
 */
export function parseAuthorization(header: string | null | undefined): Authorization | undefined {
  const [, scheme = '', credentials = ''] = /^(\w+) +(\S+) *$/.exec(header ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return { user: '', secret: credentials }
  if (scheme.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(credentials, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? { user: text, secret: '' } : { user: text.slice(0, colon), secret: text.slice(colon + 1) }
}
