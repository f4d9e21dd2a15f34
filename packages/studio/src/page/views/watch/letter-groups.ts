import { request } from '../../api/request.ts'
import type { EventState } from '../../parts/event-state.ts'

/** Failed events with the same destination, code and reason. */
export interface LetterGroup {
  readonly destinationId: string
  readonly code: string
  readonly reason: string
  readonly count: number
  readonly first: string
  readonly last: string
  readonly newestId: string
  /** One per slot of the range. */
  readonly counts: readonly number[]
}

export interface LetterGroups {
  readonly groups: readonly LetterGroup[]
  readonly slots: { readonly since: string; readonly everyMs: number; readonly count: number }
}

/** Groups that the server lists; there may be more. */
export const groupsMax = 500

const everys = { '1h': '1m', '24h': '15m', '7d': '1h' } as const

/** Reads the failed events that are kept, by reason, the largest group first, with their trend in a range. */
export function readLetterGroups(range: keyof typeof everys, signal: AbortSignal): Promise<LetterGroups> {
  return request(`/v2/dead-letters/groups?every=${everys[range]}&range=${range}`, { signal })
}

/** Where failed events of a code are mended. */
export type MendingPlace = 'destination' | 'code' | 'sender'

export const mendingPlaces: Readonly<
  Record<MendingPlace, { readonly state: EventState; readonly name: string; readonly note: string }>
> = {
  destination: { state: 'bad', name: 'At the destination', note: 'its settings, or what it accepts' },
  code: { state: 'guard', name: 'In your code', note: 'a transformation threw, or made nothing of use' },
  sender: { state: 'wait', name: 'At the sender', note: 'the event lacks something, or violates the plan' },
}

/** Returns where an event that failed with a code is mended. */
export function mendingPlaceOf(code: string): MendingPlace {
  if (code.startsWith('transform.') || code.startsWith('stage.')) return 'code'
  return code === 'destination.event' || code === 'plan.violated' ? 'sender' : 'destination'
}

/** Returns the first line of a reason, without the place in the code that follows it. */
export function reasonText(reason: string): string {
  return reason.split('\n')[0] ?? reason
}

/** Returns the line of code that threw, and the transformation or library it is in, where the reason names them. */
export function lineOf(reason: string): { readonly module: string; readonly line: number } | undefined {
  const call = reason
    .split('\n')
    .find((text) => text.trimStart().startsWith('at '))
    ?.trim()
  if (call === undefined) return undefined
  const place = call.slice(call.includes('(') ? call.indexOf('(') + 1 : 'at '.length)
  const parts = place.split(':')
  const line = Number(parts.at(-2))
  return Number.isInteger(line) && line > 0 ? { module: parts.slice(0, -2).join(':'), line } : undefined
}

/** Returns the filters that show one group. */
export function groupFilters({ destinationId, code, reason }: Pick<LetterGroup, 'destinationId' | 'code' | 'reason'>) {
  return { destination: destinationId, code, reason }
}
