/**
 * Longest host of a URL, in characters, if the parser has to convert it from Unicode. Names in DNS have at most 253. The
 * time to convert grows with the square of the length: about 1 ms for 255 different characters.
 */
export const convertedHostLengthMax = 255

/** Schemes whose hosts are domain names, and are converted. */
const special = /^[\0- ]*(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)/i
/** Host of an address that is resolved against another one. */
const relative = /^[\0- ]*[/\\]{2}[/\\]*([^/\\?#]*)/

/**
 * Parses a URL as the URL standard has it, in time linear in its length. Without this limit, a URL of 20,000 characters
 * can take V8 seconds, and ten times that length a hundred times as long.
 *
 * @param base absolute address that a relative one is resolved against.
 * @returns undefined when the text is no URL, or when its host has to be converted and is longer than the limit.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  if (hasLongHost(text) || (typeof base === 'string' && hasLongHost(base))) return undefined
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** A short URL, which most are, has no long host. */
function hasLongHost(text: string): boolean {
  return text.length > convertedHostLengthMax && convertedHostLength(text) > convertedHostLengthMax
}

/** Parses a URL like `parseUrl`. @throws TypeError with the code `ERR_INVALID_URL`, as Node's parser does. */
export function requireUrl(text: string): URL {
  const url = parseUrl(text)
  if (url === undefined) throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' })
  return url
}

/**
 * Returns how many characters of a URL, or of a part that begins with a host after `//`, have to be converted as a host.
 * 0 when the host is plain ASCII. May be more than the host has, for example when there is a port.
 */
export function convertedHostLength(text: string): number {
  // The parser ignores these wherever they are.
  const shown = /[\t\n\r]/.test(text) ? text.replace(/[\t\n\r]/g, '') : text
  const authority = (special.exec(shown) ?? relative.exec(shown))?.[1] ?? ''
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return /[^\0-\x7f]|%|xn--/i.test(host) ? host.length : 0
}
