import type { Event, EventOrigin, SourcedEvent } from '@sluice/core'
import { suppress } from '../admit-batch.ts'
import type { Flow } from '../flow.ts'

/** What is sent, kept or shown of an accepted event, with what user code made of it, where that is part of it. */
export interface EventRecord {
  readonly source: SourcedEvent
  readonly outputs?: readonly { readonly event: Event; readonly otherOrigins?: readonly EventOrigin[] }[]
}

/**
 * Returns the records that no suppressed user owns, by the accepted event or by any output: user code may
 * have given an output another user. @throws as `suppress`.
 */
export async function recordsAllowed<T extends EventRecord>(
  flow: Pick<Flow, 'suppress'>,
  records: readonly T[],
  signal: AbortSignal,
): Promise<readonly T[]> {
  const subjects = records.flatMap((record, index) => subjectsOf(record).map((subject) => ({ index, subject })))
  const passed = await suppress(
    flow,
    subjects.map(({ subject }) => subject),
    signal,
  )
  if (passed.length === subjects.length) return records
  const allowed = new Set(passed.map(({ origin }) => origin))
  const stopped = new Set(subjects.flatMap(({ index }, place) => (allowed.has(place) ? [] : index)))
  return records.filter((_, index) => !stopped.has(index))
}

function subjectsOf({ source, outputs = [] }: EventRecord): readonly SourcedEvent[] {
  return [source, ...outputs.map(({ event, otherOrigins = [] }) => ({ ...source, event, otherOrigins }))]
}
