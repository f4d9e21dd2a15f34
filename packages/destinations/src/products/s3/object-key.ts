import { bytesOf, textOf } from '@sluice/core/bytes'
import { hashText } from '@sluice/core/hash'
import { isSegment } from '../../kit/index.ts'

const ending = '.json.gz'

/** Parts of the key of an object. */
interface ObjectName {
  /** May be empty or have several segments, with any slashes between and around them. */
  readonly prefix: string
  readonly sourceId: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Text that identifies the content. */
  readonly content: string
}

/**
 * Returns the key of an object, URL-encoded:
 * `<prefix>/rudder-logs/<source>/<month>-<day>-<year>/<seconds>.<source>.<id>.json.gz`, like RudderStack's, so that its
 * readers can read these objects. The id is derived from content and time, so that sending the same request again
 * overwrites the object instead of adding another.
 *
 * Source: RudderStack docs, object storage.
 */
export function objectKey({ prefix, sourceId, now, content }: ObjectName): string {
  const time = new Date(now).toISOString()
  const date = `${time.slice(5, 7)}-${time.slice(8, 10)}-${time.slice(0, 4)}`
  const source = sourceId || 'unknown'
  const name = `${Math.floor(now / 1_000)}.${source}.${idOf(`${now} ${content}`)}.json.gz`
  return [...prefix.split('/'), 'rudder-logs', source, date, name].filter(isSegment).map(encoded).join('/')
}

/** Returns the common prefix of the keys of all objects below a prefix, URL-encoded. */
export function folderKey(prefix: string): string {
  return prefix
    .split('/')
    .filter(isSegment)
    .map((segment) => `${encoded(segment)}/`)
    .join('')
}

/** Returns the folder of the address of an object. */
export function folderOf(endpoint: string): string {
  return endpoint.slice(0, endpoint.lastIndexOf('/') + 1)
}

/**
 * Returns the address of the one object that replaces the objects at all given addresses. It is in the folder of the
 * first.
 */
export function joinedAddress(endpoints: readonly string[]): string {
  const [first = '', ...others] = endpoints
  if (others.length === 0 || !first.endsWith(ending)) return first
  const name = first.slice(0, -ending.length)
  return name.slice(0, name.lastIndexOf('.') + 1) + idOf(endpoints.join(' ')) + ending
}

/** The text is converted to bytes first, because lone surrogates cannot be URL-encoded. */
const encoded = (segment: string): string => encodeURIComponent(textOf(bytesOf(segment)))

/** Returns a hash of a text in the form of a UUID. */
function idOf(text: string): string {
  const hex = hashText('sha256', text)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
