import { formPairs } from '@sluice/core'
import { instrumentationError, type MappingError } from '../../kit/index.ts'

/**
 * Appends a path and a query of an event to an address. The path must stay below that of the address, and the query
 * must not repeat its parameters. Everything else is refused, because it could lead to another place on this or another
 * server.
 */
export function withAppendedPath(base: URL, appendPath: string): URL | MappingError {
  const refuse = (why: string): MappingError => instrumentationError(`appendPath of the event ${why}`)
  if (/[#\\\p{Cc}]/u.test(appendPath)) return refuse('has a fragment, a backslash or a control character')
  const mark = appendPath.indexOf('?')
  const path = mark === -1 ? appendPath : appendPath.slice(0, mark)
  const query = mark === -1 ? '' : appendPath.slice(mark + 1)
  const url = new URL(base)
  if (path !== '') {
    const segments = (path.startsWith('/') ? path.slice(1) : path).split('/')
    if (segments.slice(0, -1).includes('')) return refuse('has an empty segment')
    if (!segments.every(staysBelow)) return refuse('leaves the path of the address')
    url.pathname = `${url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`}${segments.join('/')}`
  }
  const taken = new Set(formPairs(base.search).map(([name]) => name))
  if (formPairs(`?${query}`).some(([name]) => taken.has(name))) return refuse('names a parameter of the address again')
  if (query !== '') url.search = base.search === '' ? query : `${base.search}&${query}`
  return url
}

/**
 * Returns whether a segment stays below the path, however a server reads it: decoded, decoded twice, or without the
 * part after a semicolon. Segments that cannot be decoded are unsafe.
 */
function staysBelow(segment: string): boolean {
  let once: string
  try {
    once = decodeURIComponent(segment)
  } catch {
    return false
  }
  // Decodes byte by byte, so that an invalid percent sign does not hide the rest.
  const twice = once.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return [segment, once, twice].every(isName)
}

function isName(text: string): boolean {
  const [name = ''] = text.split(';')
  return name !== '.' && name !== '..' && (name !== '' || text === '') && !/[/\\\0]/.test(text)
}
