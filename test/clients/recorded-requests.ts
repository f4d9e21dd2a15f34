import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallName } from './clients.ts'

/** What an SDK in another language sends, as a file of `requests` has it. */
export interface RecordedRequests {
  readonly client: string
  readonly version: string
  readonly how: 'recorded' | 'after its source'
  readonly path: string
  /** In the order in which the SDK sends them, `Host` and the length of the body included. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly gzip: boolean
  /** The text of the body around the messages of a batch. */
  readonly before: string
  readonly between: string
  readonly after: string
  /** Most messages of a batch. */
  readonly batch: number
  /** The answer that the SDK takes for success; an SDK that reads none closes its connection. */
  readonly accepts: '200' | '2xx' | 'below 400' | 'JSON' | 'JSON object' | 'any' | 'none'
  /** Times that it sends a batch at most. */
  readonly tries: number
  /** The text of a message by the call that makes it. */
  readonly messages: ReadonlyMap<CallName, string>
}

const folder = join(import.meta.dirname, 'requests')

/** Reads all files of `requests`, in the order of their names. */
export function recordedRequests(): readonly RecordedRequests[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'))
  return names.sort().map((name) => {
    const [head = '', ...messages] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')
    return { ...JSON.parse(head), messages: new Map(messages.map((text) => [JSON.parse(text).type, text])) }
  })
}
