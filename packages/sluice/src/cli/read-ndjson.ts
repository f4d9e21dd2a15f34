import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** A line that is not JSON; it stands in for the event, so that it is counted and named like any malformed one. */
export const notJson = Symbol('not JSON')

/** Reads a file line by line, one JSON value a line; blank lines are passed over. Lines that are not JSON come as `notJson`. */
export async function* readNdjson(path: string): AsyncGenerator<unknown> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    if (line.trim() === '') continue
    try {
      yield JSON.parse(line)
    } catch {
      yield notJson
    }
  }
}
