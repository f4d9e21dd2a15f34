import { InvariantError, type StageError } from '@sluice/core'
import { joinBytes } from '../../crossing/join-bytes.ts'
import type { BatchReply } from '../../vm/batch-request.ts'
import type { RanJob } from '../run-job.ts'
import { NumberReader } from './number-reader.ts'

/** Results of runs as a worker sends them; see PackedRuns. */
export interface PackedReplies {
  readonly numbers: readonly number[]
  /** The bytes of all replies. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Errors of all failures, in order. */
  readonly errors: readonly StageError[]
}

export function packReplies(jobs: readonly RanJob[]): PackedReplies {
  const numbers: number[] = []
  const errors: StageError[] = []
  for (const { job, reply } of jobs) {
    const { bytes, parts, failures, again, spentMs, hostCalls } = reply
    numbers.push(job, bytes.length, spentMs, hostCalls)
    numbers.push(parts.length)
    for (const { indexes, isList, start, end, isFull, weight } of parts) {
      numbers.push(Number(isList), start, end, Number(isFull), weight, indexes.length)
      for (const index of indexes) numbers.push(index)
    }
    numbers.push(failures.length)
    for (const { index, error } of failures) {
      numbers.push(index)
      errors.push(error)
    }
    numbers.push(again.length)
    for (const index of again) numbers.push(index)
  }
  return { numbers, bytes: joinBytes(jobs.map(({ reply }) => reply.bytes)), errors }
}

export function unpackReplies({ numbers, bytes, errors }: PackedReplies): RanJob[] {
  const reader = new NumberReader(numbers)
  const jobs: RanJob[] = []
  let start = 0
  let failed = 0
  while (!reader.isAtEnd) {
    const [job, length, spentMs, hostCalls] = [reader.next(), reader.next(), reader.next(), reader.next()]
    const reply: BatchReply = {
      bytes: bytes.subarray(start, start + length),
      parts: reader.list(() => ({
        isList: reader.next() === 1,
        start: reader.next(),
        end: reader.next(),
        isFull: reader.next() === 1,
        weight: reader.next(),
        indexes: reader.list(() => reader.next()),
      })),
      failures: reader.list(() => ({ index: reader.next(), error: errors[failed++] ?? missing() })),
      again: reader.list(() => reader.next()),
      spentMs,
      hostCalls,
    }
    start += length
    jobs.push({ kind: 'ran', job, reply })
  }
  return jobs
}

function missing(): never {
  throw new InvariantError('a failure came without its error')
}
