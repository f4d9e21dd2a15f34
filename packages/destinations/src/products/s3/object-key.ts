import { createHash } from 'node:crypto'
import { isSegment } from '../../kit/map/encode-segment.ts'

const ending = '.json.gz'

/** What the key of an object is made from. */
export interface ObjectName {
  /** May be empty or have several segments, with slashes between and around them. */
  readonly prefix: string
  readonly sourceId: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** What the object holds, as a text that differs where the content does. */
  readonly content: string
}

/**
 * The key of an object, ready to stand in a URL:
 * `<prefix>/rudder-logs/<source>/<month>-<day>-<year>/<seconds>.<source>.<id>.json.gz`,
 * as RudderStack has it, so that what reads its objects can read these. The id is made from the content and the time:
 * sending the same request again overwrites the object instead of adding a second one.
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

/** How the keys of all objects below a prefix begin, ready to stand in a URL. */
export function folderKey(prefix: string): string {
  return prefix
    .split('/')
    .filter(isSegment)
    .map((segment) => `${encoded(segment)}/`)
    .join('')
}

/** An address of an object without the object. */
export function folderOf(endpoint: string): string {
  return endpoint.slice(0, endpoint.lastIndexOf('/') + 1)
}

/** The address of an object that holds what the objects at all these addresses would; named like the first. */
export function joinedAddress(endpoints: readonly string[]): string {
  const [first = '', ...others] = endpoints
  if (others.length === 0 || !first.endsWith(ending)) return first
  const name = first.slice(0, -ending.length)
  return name.slice(0, name.lastIndexOf('.') + 1) + idOf(endpoints.join(' ')) + ending
}

/** Through bytes, because half a character cannot be encoded. */
const encoded = (segment: string): string => encodeURIComponent(Buffer.from(segment).toString())

/** In the form of a UUID. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
