import { createReadStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { CliError } from './cli-error.ts'

/** Stands in for a line that is not JSON, so that it is counted and reported like any malformed event. */
const notJson = Symbol('not JSON')

/** A line of a file that is not blank. */
export interface NdjsonLine {
  /** From 1, blank lines included. */
  readonly number: number
  /** A symbol when the line is not JSON. */
  readonly value: unknown
  /** Why the line is not JSON. */
  readonly problem?: string
}

interface NdjsonOptions {
  /** Reading stops here; a line across this limit is cut, and then not JSON. Not applied to standard input. */
  readonly bytesMax?: number
  /** Called with the bytes up to and including each line that is yielded. */
  onBytes?(bytes: number): void
  /** Ends the reading early, also while it waits for standard input. */
  readonly signal?: AbortSignal
}

/** The path that stands for standard input. */
export const standardInput = '-'

/** Reads a file, or standard input for `-`, with one JSON value per line, and skips blank lines. */
export async function* readNdjson(path: string, options: NdjsonOptions = {}): AsyncGenerator<NdjsonLine> {
  const { bytesMax = Number.POSITIVE_INFINITY, onBytes, signal } = options
  const input = path === standardInput ? process.stdin : createReadStream(path, { end: bytesMax - 1 })
  const lines = createInterface({
    input: input.setEncoding('utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
    signal,
  })
  let number = 0
  let bytes = 0
  for await (const line of lines) {
    number += 1
    bytes += Buffer.byteLength(line) + 1
    if (line.trim() === '') continue
    onBytes?.(bytes)
    try {
      yield { number, value: JSON.parse(line) }
    } catch (error) {
      yield { number, value: notJson, problem: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** Checks that a file, or standard input for `-`, can be read. @throws CliError naming the flag. */
export async function requireReadable(flag: string, path: string): Promise<void> {
  if (path === standardInput) {
    if (process.stdin.isTTY)
      throw new CliError(
        `${flag}: - is standard input, which is a terminal; pipe events into it, one JSON object per line`,
      )
    return
  }
  await access(path, constants.R_OK).catch(() => {
    throw new CliError(`${flag}: ${path} cannot be read`)
  })
  if ((await stat(path)).isDirectory())
    throw new CliError(`${flag}: ${path} is a folder; name a file with one JSON object per line`)
}
