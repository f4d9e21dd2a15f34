import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** Stands in for a line that is not JSON, so that it is counted and reported like any malformed event. */
export const notJson = Symbol('not JSON')

/**
 * Reads a file with one JSON value per line, and skips blank lines. Lines that are not JSON become `notJson`.
 *
 * @param bytesMax reading stops here; a line across this limit is cut, and becomes `notJson`.
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
