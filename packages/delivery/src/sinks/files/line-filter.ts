import { identifierText, isJsonObject, type JsonValue, someIdentifier } from '@sluice/core'

/** Longest line, which is kept in memory. Sinks never write lines nearly as long. */
const lineBytesMax = 64 * 1024 * 1024

/** Lines are short, so they are passed on in chunks of this size. */
const writtenBytes = 64 * 1024

/** Finds and removes lines of users. */
export interface LineFilter {
  /** Returns whether a line belongs to one of the users. Stops reading at the first match. */
  finds(chunks: AsyncIterable<Uint8Array>): Promise<boolean>
  /** Returns how many lines belong to the users. */
  count(chunks: AsyncIterable<Uint8Array>): Promise<number>
  /** Returns all other lines, unchanged byte by byte. */
  without(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** Users with lines that `without` has left out. */
  readonly removed: ReadonlySet<string>
}

/** A file or object has a line longer than sinks write, so it was probably not written by one. */
export class LineTooLongError extends Error {}

/** Members by which an event names its person (see `someIdentifier`), wherever they are in the line. */
const membersOfEvents = ['userId', 'anonymousId', 'previousId', 'id', 'value']

/**
 * @param users user ids as cleaned text.
 * @param userIdAt see `KeptLinesRule`.
 */
export function createLineFilter(
  users: { has(userId: string): boolean },
  userIdAt: readonly (readonly string[])[] | undefined,
): LineFilter {
  const written = (userIdAt?.flatMap((path) => path.at(-1) ?? []) ?? membersOfEvents).map(memberNamed)

  const removed = new Set<string>()

  /** Returns the wanted user to whom a line belongs. */
  function ownerOf(line: Uint8Array): string | undefined {
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()
    const value = parsed(text)
    if (value !== undefined) return userIdAt === undefined ? personOf(value) : wanted(firstAt(value, userIdAt))
    // A line that a crash cut off may still belong to a user.
    for (const member of written)
      for (const [, found = ''] of text.matchAll(member)) {
        const owner = wanted(parsed(found) ?? found)
        if (owner !== undefined) return owner
      }
    return undefined
  }

  function personOf(line: JsonValue): string | undefined {
    let owner: string | undefined
    if (isJsonObject(line))
      someIdentifier(line, (identifier) => {
        owner = wanted(identifier)
        return owner !== undefined
      })
    return owner
  }

  function wanted(value: JsonValue | undefined): string | undefined {
    const id = identifierText(value)
    return id !== '' && users.has(id) ? id : undefined
  }

  return {
    async finds(chunks) {
      for await (const line of linesOf(chunks)) if (ownerOf(line) !== undefined) return true
      return false
    },
    async count(chunks) {
      let count = 0
      for await (const line of linesOf(chunks)) if (ownerOf(line) !== undefined) count += 1
      return count
    },
    async *without(chunks) {
      let kept: Uint8Array[] = []
      let bytes = 0
      for await (const line of linesOf(chunks)) {
        const owner = ownerOf(line)
        if (owner !== undefined) {
          removed.add(owner)
          continue
        }
        kept.push(line)
        bytes += line.length
        if (bytes < writtenBytes) continue
        yield Buffer.concat(kept)
        kept = []
        bytes = 0
      }
      if (bytes > 0) yield Buffer.concat(kept)
    },
    removed,
  }
}

const lineBreak = 0x0a

/** Yields lines with their line breaks; the last one may have none. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = []
  let begunBytes = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, start)) {
      const rest = chunk.subarray(start, end + 1)
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      begun = []
      begunBytes = 0
      start = end + 1
    }
    if (start === chunk.length) continue
    begun.push(chunk.subarray(start))
    begunBytes += chunk.length - start
    if (begunBytes > lineBytesMax) throw new LineTooLongError(`a line is longer than ${lineBytesMax} bytes`)
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

function firstAt(value: JsonValue, paths: readonly (readonly string[])[]): JsonValue | undefined {
  for (const path of paths) {
    let at: JsonValue | undefined = value
    for (const key of path) at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
    if (at !== undefined && at !== null) return at
  }
  return undefined
}

/** Matches every member of this name in incomplete JSON. */
function memberNamed(name: string): RegExp {
  const quoted = JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`${quoted}\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|[^\\s",}\\]]+)`, 'g')
}
