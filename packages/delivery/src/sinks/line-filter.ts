import { identifierText, isJsonObject, type JsonValue } from '@sluice/core'

/** A line is held in memory whole; sinks write none that is nearly as long. */
const lineBytesMax = 64 * 1024 * 1024

/** Lines are handed on together, because they are short. */
const writtenBytes = 64 * 1024

/** Tells lines of users from others. */
export interface LineFilter {
  /** Whether any line is one of theirs. Reads no further than it has to. */
  finds(chunks: AsyncIterable<Uint8Array>): Promise<boolean>
  /** Everything but their lines, byte by byte as it is. */
  without(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
}

/** What holds lines does not look as if sinks had written it. */
export class LineTooLongError extends Error {}

/**
 * @param users ids as cleaned text.
 * @param userIdAt see `KeptLinesRule`.
 */
export function createLineFilter(
  users: { has(userId: string): boolean },
  userIdAt: readonly (readonly string[])[],
): LineFilter {
  const written = userIdAt.flatMap((path) => path.at(-1) ?? []).map(memberNamed)

  function isTheirs(line: Uint8Array): boolean {
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()
    const value = parsed(text)
    if (value !== undefined) return users.has(identifierText(firstAt(value, userIdAt)))
    // What a crash has torn off is still somebody's.
    return written.some((member) => {
      const found = member.exec(text)?.[1]
      return found !== undefined && users.has(identifierText(parsed(found) ?? found))
    })
  }

  return {
    async finds(chunks) {
      for await (const line of linesOf(chunks)) if (isTheirs(line)) return true
      return false
    },
    async *without(chunks) {
      let kept: Uint8Array[] = []
      let bytes = 0
      for await (const line of linesOf(chunks)) {
        if (isTheirs(line)) continue
        kept.push(line)
        bytes += line.length
        if (bytes < writtenBytes) continue
        yield Buffer.concat(kept)
        kept = []
        bytes = 0
      }
      if (bytes > 0) yield Buffer.concat(kept)
    },
  }
}

const lineBreak = 0x0a

/** Each with its line break; the last one may have none. */
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

/** A member of this name in a text that is no whole JSON. */
function memberNamed(name: string): RegExp {
  const quoted = JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`${quoted}\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|[^\\s",}\\]]+)`)
}
