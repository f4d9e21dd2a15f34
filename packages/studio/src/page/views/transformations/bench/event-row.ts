import { endingChanges } from '@sluice/testing/diff'
import type { EventState } from '../../../parts/event-state.ts'
import type { RunResult } from '../transformation.ts'
import { endingOf } from '../trial/ending-of.ts'

type Event = Readonly<Record<string, unknown>>

/** What the list of events says of one. */
interface EventRow {
  readonly name: string
  /** What tells it from others of the same name. */
  readonly mark: string
  readonly state: EventState
  readonly note: string
}

/** Returns the row of an event. @param result absent before it was run. */
export function eventRow(event: Event, index: number, result: RunResult | undefined): EventRow {
  const { event: given, type, userId, messageId } = event
  const name = typeof given === 'string' && given !== '' ? given : String(type ?? 'event')
  const mark = String(userId ?? messageId ?? '').slice(0, 24)
  return { name, mark, ...becameOf(event, index, result) }
}

function becameOf(event: Event, index: number, result: RunResult | undefined): Pick<EventRow, 'state' | 'note'> {
  const outcome = result?.outcomes[index]
  if (outcome === undefined) return { state: 'ink', note: '' }
  if (outcome.kind === 'drop') return { state: 'idle', note: 'filtered' }
  if (outcome.kind === 'fail') {
    const line = result?.problems.find((problem) => problem.index === index)?.line
    return { state: 'bad', note: line === undefined ? 'failed' : `threw in line ${line}` }
  }
  if (outcome.items.length !== 1) return { state: 'good', note: `${outcome.items.length} outputs` }
  const before = { outcome: 'passed', output: [event] } as unknown as Parameters<typeof endingChanges>[0]
  const count = endingChanges(before, endingOf(outcome)).length
  const note = count === 0 ? 'unchanged' : `${count} ${count === 1 ? 'key' : 'keys'} changed`
  return { state: 'good', note }
}
