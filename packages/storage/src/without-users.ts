import { type Event, identifierText, someIdentifier } from '@sluice/core'

/** Returns the events with those of some users replaced by `{}`, and how many were replaced. */
export function withoutUsers(
  events: readonly Event[],
  userIds: ReadonlySet<string>,
): { readonly kept: readonly Event[]; readonly erased: number } {
  let erased = 0
  const kept = events.map((event) => {
    if (!someIdentifier(event, (identifier) => userIds.has(identifierText(identifier)))) return event
    erased += 1
    return {}
  })
  return { kept, erased }
}

/** The members that `someIdentifier` looks at. */
const keys = ['"userId":', '"anonymousId":', '"previousId":', '"id":']

/**
 * Returns whether a JSON text written by `JSON.stringify` may contain events of one of the users: false positives are
 * possible, false negatives are not. Looks at each id once, so it costs the same for any number of users, and much less
 * than parsing.
 */
export function mayBeOf(eventsJson: string, userIds: ReadonlySet<string>): boolean {
  return keys.some((key) => {
    for (let at = eventsJson.indexOf(key); at >= 0; at = eventsJson.indexOf(key, at + key.length)) {
      const start = at + key.length
      const isText = eventsJson[start] === '"'
      const id = isText ? textAt(eventsJson, start + 1) : plainAt(eventsJson, start)
      // Escaped and structured ids are left to the parser.
      if (/^[[{]|\\/.test(id) || userIds.has(identifierText(id))) return true
    }
    return false
  })
}

/**
 * Returns the text up to the next quotation mark. An escaped mark ends it early, but then the text contains a
 * backslash.
 */
function textAt(json: string, start: number): string {
  return json.slice(start, json.indexOf('"', start))
}

/** Returns a number or word whole, and at least the first character of an array or object. */
function plainAt(json: string, start: number): string {
  let end = start
  while (end < json.length && !',}]'.includes(json.charAt(end))) end += 1
  return json.slice(start, end)
}
