import type { DeadLetterGroup, DeadLetterSlot, DeadLetterSlots } from '@sluice/pipeline'
import Type, { type Static } from 'typebox'

const slotsMax = 200
const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const span = (what: string) => Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,5}[smhd]$', description: what }))

export const trendQuery = Type.Object({
  every: span('length of a slot, such as 15m; s, m, h or d; together with range'),
  range: span(`how far back, such as 24h; at most ${slotsMax} slots`),
})

/** Returns the slots of a query: those up to now, undefined when none are wanted, or what is wrong with it. */
export function slotsOf(
  { every, range }: Static<typeof trendQuery>,
  now: number,
): DeadLetterSlots | string | undefined {
  if (every === undefined && range === undefined) return undefined
  if (every === undefined || range === undefined)
    return 'give both every and range, such as every=15m&range=24h, or none'
  const everyMs = millisecondsOf(every)
  const count = Math.ceil(millisecondsOf(range) / everyMs)
  if (count > slotsMax)
    return `range=${range} has ${count} slots of every=${every}; ${slotsMax} are allowed: give longer ones, or a shorter range`
  return { since: (Math.floor(now / everyMs) - count + 1) * everyMs, everyMs, count }
}

/** Returns the counts of a group, one for each slot. */
export function countsOf(
  group: Pick<DeadLetterGroup, 'destinationId' | 'code' | 'reason'>,
  found: ReadonlyMap<string, readonly DeadLetterSlot[]>,
  { count }: DeadLetterSlots,
): readonly number[] {
  const counts = Array.from({ length: count }, () => 0)
  for (const slot of found.get(keyOf(group)) ?? []) counts[slot.slot] = slot.count
  return counts
}

/** Returns slots by the group that they belong to, for `countsOf`. */
export function slotsByGroup(slots: readonly DeadLetterSlot[]): ReadonlyMap<string, readonly DeadLetterSlot[]> {
  const byGroup = new Map<string, DeadLetterSlot[]>()
  for (const slot of slots) {
    const known = byGroup.get(keyOf(slot))
    if (known) known.push(slot)
    else byGroup.set(keyOf(slot), [slot])
  }
  return byGroup
}

function keyOf({ destinationId, code, reason }: Pick<DeadLetterGroup, 'destinationId' | 'code' | 'reason'>): string {
  return JSON.stringify([destinationId, code, reason])
}

function millisecondsOf(text: string): number {
  const unit = text.at(-1) as keyof typeof unitMs
  return Number(text.slice(0, -1)) * unitMs[unit]
}
