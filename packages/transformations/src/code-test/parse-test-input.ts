import { isJsonObject, type JsonObject } from '@sluice/core'

type ParsedTestInput =
  | { readonly ok: true /** Null for the sample events. */; readonly events: readonly JsonObject[] | null }
  | { readonly ok: false; readonly problem: string }

/** Batch size of user code in production. */
const testEventsMax = 200
/** More levels than any real event, far fewer than would overflow the stack. */
const levelsMax = 200
/** Most characters of JSON text, because the input is stored with the publication. */
const charsMax = 1_000_000

/**
 * Parses test input from a request: a list of events, or its JSON text. Absent or empty means the sample events.
 * @param member name of the member, for the problem.
 */
export function parseTestInput(input: unknown, member = 'testInput'): ParsedTestInput {
  let list: unknown = input
  if (typeof input === 'string') {
    try {
      list = input.trim() === '' ? [] : JSON.parse(input)
    } catch {
      return { ok: false, problem: `${member} is text that is not JSON; give a JSON array of events` }
    }
  }
  if (list === undefined || list === null) return { ok: true, events: null }
  if (!Array.isArray(list))
    return { ok: false, problem: `${member} is not an array; give an array of events, or its JSON text` }
  if (list.length > testEventsMax)
    return { ok: false, problem: `${member} has ${list.length} events; ${testEventsMax} are allowed` }
  const events: JsonObject[] = []
  for (const [index, event] of (list as readonly unknown[]).entries()) {
    if (!isJsonObject(event))
      return { ok: false, problem: `${member}[${index}] is not an event; events are JSON objects` }
    if (!isNestedWithin(event, levelsMax))
      return { ok: false, problem: `${member}[${index}] is nested deeper than ${levelsMax} levels` }
    events.push(event)
  }
  const chars = JSON.stringify(events).length
  if (chars > charsMax) return { ok: false, problem: `${member} has ${chars} characters; ${charsMax} are allowed` }
  return { ok: true, events: events.length === 0 ? null : events }
}

function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isNestedWithin(member, levels - 1))
}
