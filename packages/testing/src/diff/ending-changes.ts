import type { JsonValue } from '@sluice/core'
import type { EventEnding } from '../run/offline-run.ts'
import { changeOf, type EventChange } from './change-groups.ts'
import { valueChanges } from './value-changes.ts'

export { insidePair } from '../cases/inside-pair.ts'
export type { EventEnding } from '../run/offline-run.ts'
export { type ChangeGroup, ChangeGroups } from './change-groups.ts'

/** Returns what differs between two results of one event; an absent result is that of a destination that is not there. */
export function endingChanges(
  before: EventEnding | undefined,
  after: EventEnding | undefined,
  destination?: string,
): readonly EventChange[] {
  const place = destination === undefined ? {} : { destination }
  const verdicts = [verdictOf(before), verdictOf(after)]
  const verdict = { ...place, path: 'tracking plan', change: verdicts.join(' → ') }
  const isJudgedAlike = before === undefined || after === undefined || verdicts[0] === verdicts[1]
  const own = isJudgedAlike ? [] : [verdict]
  const [from, to] = [outcomeOf(before), outcomeOf(after)]
  if (from !== to) return [...own, { ...place, path: 'outcome', change: `${from} → ${to}` }]
  const [name, was, is] = sent(before, after)
  return [...own, ...valueChanges(was, is, name).map((change) => ({ ...place, ...change, change: changeOf(change) }))]
}

/** Returns what is compared: requests where there is a destination, otherwise the outputs of user code. */
function sent(
  before: EventEnding | undefined,
  after: EventEnding | undefined,
): readonly [name: string, before: JsonValue, after: JsonValue] {
  if (before?.requests || after?.requests) return ['requests', asJson(before?.requests), asJson(after?.requests)]
  return ['output', asJson(before?.output), asJson(after?.output)]
}

/** As it leaves: members that are undefined are not sent. */
const asJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? [])) as JsonValue

function outcomeOf(ending: EventEnding | undefined): string {
  if (ending === undefined) return 'not there'
  const { outcome, reason, error } = ending
  if (outcome === 'dropped') return reason === undefined ? 'dropped' : `dropped (${reason})`
  // The first line names the error, the others where it was.
  return outcome === 'failed' ? `failed (${error?.message.split('\n', 1)[0] ?? error?.code})` : 'passed'
}

function verdictOf(ending: EventEnding | undefined): string {
  return ending?.violations?.join(', ') ?? 'no violation'
}
