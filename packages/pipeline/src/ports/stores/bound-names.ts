import { type CountDelta, type NamedCount, type NamedQuery, utcDay } from './counter-store.ts'

/** Names of a source that are counted on one day, so that senders who write ids into names do not fill the store. */
const namesMax = 200
/** Stands for all names of a source and day beyond the limit. */
export const otherNames = '(others)'
/** Characters of a name that are kept. */
export const nameLengthMax = 200
/** Days that are kept. */
const namedDaysKept = 90

const dayMs = 86_400_000

/** Returns the first and the last day that are kept. @param now milliseconds since the epoch. */
export function namedDays(now: number): { readonly first: string; readonly last: string } {
  return { first: utcDay(now - namedDaysKept * dayMs), last: utcDay(now) }
}

/** Whether a count is of one name and day. */
export function isNamed(delta: CountDelta): delta is NamedCount {
  return delta.named !== undefined
}

/** Returns a text that is unique to a source and day, whose names share a limit. */
export function namedDayKey({ workspaceId, sourceId, day }: NamedQuery): string {
  return JSON.stringify([workspaceId, sourceId, day])
}

/** Returns the source and day of a count. */
export function dayOfCount({ workspaceId, sourceId, named }: NamedCount): NamedQuery {
  return { workspaceId, sourceId, day: named.day }
}

/**
 * Returns counts in which names beyond the limit are joined, so that sums stay exact. A name is admitted with its first
 * accepted event, the most frequent ones first where several are new; what became of an event is counted under the name it
 * was admitted with.
 * @param known names that are counted already, by `namedDayKey`.
 */
export function boundNames(
  counts: readonly NamedCount[],
  known: ReadonlyMap<string, ReadonlySet<string>>,
  max: number = namesMax,
): readonly NamedCount[] {
  const fresh = new Map<string, Map<string, number>>()
  for (const count of counts) {
    const { name } = count.named
    const key = namedDayKey(dayOfCount(count))
    if (!isAdmission(count) || name === '' || known.get(key)?.has(name)) continue
    const names = fresh.get(key) ?? new Map<string, number>()
    fresh.set(key, names.set(name, (names.get(name) ?? 0) + count.count))
  }
  const admitted = new Map<string, ReadonlySet<string>>()
  for (const [key, names] of fresh) {
    const there = known.get(key) ?? new Set<string>()
    const room = Math.max(0, max - there.size)
    // By name where they are as frequent, so that it does not depend on the order of the counts.
    const frequent = [...names].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, room)
    admitted.set(key, new Set(frequent.map(([name]) => name)))
  }
  return counts.map((count) => {
    const { day, name } = count.named
    const key = namedDayKey(dayOfCount(count))
    if (name === '' || known.get(key)?.has(name) || admitted.get(key)?.has(name)) return count
    return { ...count, named: { day, name: otherNames } }
  })
}

/** Whether the names of a day grow by a count: that of accepted events, at the source itself. */
export function isAdmission({ destinationId, kind }: CountDelta): boolean {
  return destinationId === '' && kind === 'accepted'
}
