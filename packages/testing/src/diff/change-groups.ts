import type { Event, JsonValue } from '@sluice/core'
import type { ValueChange } from './value-changes.ts'

/** Events that changed in the same way at the same place. */
export interface ChangeGroup {
  /** The destination whose requests differ; absent for what user code returns. */
  readonly destination?: string
  /** Such as `requests[].body.JSON.value`, `output[].properties.total` or `outcome`. */
  readonly path: string
  /** Such as `null → number` or `passed → dropped (not wanted)`. */
  readonly change: string
  /** How many events have it. */
  readonly events: number
  /** How many of each name, the most frequent first: at most ten. */
  readonly byName: readonly { readonly name: string; readonly events: number }[]
  /** The smallest event that has it. */
  readonly example: ChangeExample
}

export interface ChangeExample {
  /** Place among the events, from 1. */
  readonly event: number
  readonly messageId: string | null
  /** Absent where the place is absent. */
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** How an event changed at one place. */
export interface EventChange {
  readonly destination?: string
  readonly path: string
  readonly change: string
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** Most groups that are distinguished. */
const groupsMax = 1_000
const namesMax = 10
/** Characters of JSON text of a value that is named in a change. */
const namedMax = 40

/** Collects changes of events by place and kind. Holds one example of each, however many events there are. */
export class ChangeGroups {
  readonly #groups = new Map<string, OpenGroup>()
  /** Changes of places beyond the most that are distinguished. */
  leftOut = 0

  add(event: Event, place: number, changes: readonly EventChange[]): void {
    const size = JSON.stringify(event).length
    // An event with several requests may have the same change several times.
    const seen = new Set<string>()
    for (const change of changes) {
      const key = groupName(change)
      if (seen.has(key)) continue
      seen.add(key)
      const group = this.#groups.get(key)
      if (group === undefined && this.#groups.size >= groupsMax) this.leftOut += 1
      else this.#groups.set(key, withEvent(group ?? openGroup(change), { event, place, size, change }))
    }
  }

  /** Returns the groups, those with the most events first. */
  get list(): readonly ChangeGroup[] {
    return [...this.#groups.values()]
      .map(({ names, size: _, ...group }) => ({
        ...group,
        byName: [...names]
          .map(([name, events]) => ({ name, events }))
          .sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1))
          .slice(0, namesMax),
      }))
      .sort((a, b) => b.events - a.events || (groupName(a) < groupName(b) ? -1 : 1))
  }
}

/** Names a group in one line, the same in each run: `hook: requests[].body.JSON.value: null → number`. */
export function groupName({ destination, path, change }: Pick<ChangeGroup, 'destination' | 'path' | 'change'>): string {
  return `${destination === undefined ? '' : `${destination}: `}${path}: ${change}`
}

/** Returns the change of a value as what changes for all events of a group: kinds, and constants. */
export function changeOf({ before, after }: Pick<ValueChange, 'before' | 'after'>): string {
  const [from, to] = [kindOf(before), kindOf(after)]
  if (from !== to) return `${from} → ${to}`
  return typeof before === 'boolean' ? `${before} → ${after}` : `${from} → another ${from}`
}

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' ? 'text' : typeof value
}

/** A group that still takes events. */
interface OpenGroup extends Omit<ChangeGroup, 'byName'> {
  readonly names: Map<string, number>
  /** Characters of the event that is the example. */
  readonly size: number
}

function openGroup({ destination, path, change }: EventChange): OpenGroup {
  const example = { event: 0, messageId: null }
  return {
    ...(destination === undefined ? {} : { destination }),
    path,
    change,
    events: 0,
    names: new Map(),
    size: Number.POSITIVE_INFINITY,
    example,
  }
}

function withEvent(
  group: OpenGroup,
  { event, place, size, change }: { event: Event; place: number; size: number; change: EventChange },
): OpenGroup {
  const name = nameOf(event)
  group.names.set(name, (group.names.get(name) ?? 0) + 1)
  const events = group.events + 1
  if (size >= group.size) return { ...group, events }
  const { before, after } = change
  const messageId = typeof event.messageId === 'string' ? event.messageId : null
  const example = {
    event: place + 1,
    messageId,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
  return { ...group, events, size, example }
}

function nameOf({ event, name, type }: Event): string {
  const given = typeof event === 'string' && event !== '' ? event : name
  return (typeof given === 'string' && given !== '' ? given : String(type ?? 'event')).slice(0, namedMax)
}
