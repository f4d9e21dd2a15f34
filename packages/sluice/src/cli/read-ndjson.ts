import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** A line that is not JSON; it stands in for the event, so that it is counted and named like any malformed one. */
export const notJson = Symbol('not JSON')

/**
 * Reads a file line by line, one JSON value a line; blank lines are passed over. Lines that are not JSON come as `notJson`.
 *
 * @param bytesMax what is beyond is not read; a line that goes over it is cut there, and so comes as `notJson`.
 */
export async function* readNdjson(
  path: string,
  { bytesMax = Number.POSITIVE_INFINITY }: { readonly bytesMax?: number } = {},
): AsyncGenerator<unknown> {
  const input = createReadStream(path, { encoding: 'utf8', end: bytesMax - 1 })
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    if (line.trim() === '') continue
    try {
      yield JSON.parse(line)
    } catch {
      yield notJson
    }
  }
}
