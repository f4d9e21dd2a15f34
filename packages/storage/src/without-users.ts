import { type Event, identifierText } from '@sluice/core'

/** The events with `{}` in the place of those of some users, and how many that were. */
export function withoutUsers(
  events: readonly Event[],
  userIds: ReadonlySet<string>,
): { readonly kept: readonly Event[]; readonly erased: number } {
  let erased = 0
  const kept = events.map((event) => {
    if (!userIds.has(identifierText(event['userId']))) return event
    erased += 1
    return {}
  })
  return { kept, erased }
}

const key = '"userId":'

/**
 * Whether events may be of one of the users, by their JSON text as `JSON.stringify` writes it. Looks at each id once, so
 * that it costs the same for any number of users, and much less than parsing. Finds too many rather than too few.
 */
export function mayBeOf(eventsJson: string, userIds: ReadonlySet<string>): boolean {
  for (let at = eventsJson.indexOf(key); at >= 0; at = eventsJson.indexOf(key, at + key.length)) {
    const start = at + key.length
    const isText = eventsJson[start] === '"'
    const id = isText ? textAt(eventsJson, start + 1) : plainAt(eventsJson, start)
    // What is escaped or made of parts is looked at closely.
    if (/^[[{]|\\/.test(id) || userIds.has(identifierText(id))) return true
  }
  return false
}

/** Up to the next quotation mark: behind a backslash it is not the end, but what is there then has one. */
function textAt(json: string, start: number): string {
  return json.slice(start, json.indexOf('"', start))
}

/** Of a number or a word, all; of something larger, at least its beginning. */
function plainAt(json: string, start: number): string {
  let end = start
  while (end < json.length && !',}]'.includes(json.charAt(end))) end += 1
  return json.slice(start, end)
}
