import type { JsonObject } from '@sluice/core'
import { joinBytes } from '../../crossing/join-bytes.ts'
import type { BatchRequest, Isolation } from '../../vm/batch-request.ts'
import type { RunJob } from '../run-job.ts'
import { NumberReader } from './number-reader.ts'

/**
 * Runs as they are sent to a worker. One message with a flat list of numbers is cloned in a fifth of the time of nested
 * objects, and wakes the worker once.
 */
export interface PackedRuns {
  readonly numbers: readonly number[]
  /** The bytes of all requests. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Credentials of each run, in order; empty when no run has any. */
  readonly credentials: readonly JsonObject[]
}

const isolations: readonly Isolation[] = ['batch', 'event', 'none']
/** Takes the place of an absent number. */
const absent = Number.NaN

export function packRuns(jobs: readonly RunJob[]): PackedRuns {
  const numbers: number[] = []
  for (const { job, place, program, request, environment } of jobs) {
    const { isolation, count, bytes, documents, withMetadata, eager, isRepeat, timeMs, room } = request
    numbers.push(job, place, program, environment.nowMs ?? absent, environment.seed ?? absent)
    numbers.push(isolations.indexOf(isolation), count, Number(withMetadata), Number(eager), timeMs, bytes.length)
    numbers.push(Number(isRepeat), room.shareBytes, room.commonBytes)
    numbers.push(documents.length)
    for (const document of documents) numbers.push(document.first, document.count, document.start, document.end)
  }
  const hasCredentials = jobs.some(({ credentials }) => Object.keys(credentials).length > 0)
  return {
    numbers,
    bytes: joinBytes(jobs.map(({ request }) => request.bytes)),
    credentials: hasCredentials ? jobs.map(({ credentials }) => credentials) : [],
  }
}

export function unpackRuns({ numbers, bytes, credentials }: PackedRuns): RunJob[] {
  const reader = new NumberReader(numbers)
  const jobs: RunJob[] = []
  let start = 0
  while (!reader.isAtEnd) {
    const [job, place, program] = [reader.next(), reader.next(), reader.next()]
    const [nowMs, seed] = [reader.next(), reader.next()]
    const [isolation, count, withMetadata, eager] = [reader.next(), reader.next(), reader.next(), reader.next()]
    const [timeMs, length] = [reader.next(), reader.next()]
    const [isRepeat, shareBytes, commonBytes] = [reader.next(), reader.next(), reader.next()]
    const request: BatchRequest = {
      isolation: isolations[isolation] ?? 'event',
      count,
      withMetadata: withMetadata === 1,
      eager: eager === 1,
      isRepeat: isRepeat === 1,
      timeMs,
      room: { shareBytes, commonBytes },
      bytes: bytes.subarray(start, start + length),
      documents: reader.list(() => ({
        first: reader.next(),
        count: reader.next(),
        start: reader.next(),
        end: reader.next(),
      })),
    }
    start += length
    const environment = { nowMs: Number.isNaN(nowMs) ? undefined : nowMs, seed: Number.isNaN(seed) ? undefined : seed }
    jobs.push({ kind: 'run', job, place, program, request, environment, credentials: credentials[jobs.length] ?? {} })
  }
  return jobs
}
