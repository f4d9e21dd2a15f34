import { comparableIdentifier, type Event, identifierText, markedKey, readKey, someKey } from '@sluice/core'

/**
 * Returns the events with those of some users replaced by `{}`, and how many were replaced.
 * @param userIds keys of persons: see `keysOfPerson`.
 */
export function withoutUsers(
  events: readonly Event[],
  userIds: ReadonlySet<string>,
): { readonly kept: readonly Event[]; readonly erased: number } {
  let erased = 0
  const kept = events.map((event) => {
    if (!someKey(event, (key) => userIds.has(key))) return event
    erased += 1
    return {}
  })
  return { kept, erased }
}

/** The members that `someKey` looks at for ids, and for each of the other identifiers. */
const ofIds = ['"userId":', '"anonymousId":', '"previousId":', '"id":']
const ofOthers: Readonly<Record<string, string>> = {
  email: '"email":',
  phone: '"phone":',
  anonymousId: '"anonymousId":',
}
const ofMerges = '"mergeProperties":'
const ofMerged = '"value":'

/**
 * Returns whether a JSON text written by `JSON.stringify` may contain events of one of the users: false positives are
 * possible, false negatives are not. Looks at each id once, so it costs the same for any number of users, and much less
 * than parsing.
 */
export function mayBeOf(eventsJson: string, userIds: ReadonlySet<string>): boolean {
  const names = new Set([...userIds].map((key) => readKey(key).name))
  // `value` is a frequent name in other events, too, so it is looked at only beside the list that gives it this meaning.
  const merged = eventsJson.includes(ofMerges) ? [ofMerged] : []
  const isKey = (name: string) => (text: string) => userIds.has(markedKey(name, comparableIdentifier(name, text)))
  return (
    (names.has('userId') &&
      [...ofIds, ...merged].some((member) => someValue(eventsJson, member, (id) => userIds.has(identifierText(id))))) ||
    Object.entries(ofOthers).some(
      ([name, member]) =>
        names.has(name) && [member, ...merged].some((each) => someValue(eventsJson, each, isKey(name))),
    )
  )
}

/** Whether any value of a member may be wanted. Escaped and structured values are left to the parser. */
function someValue(eventsJson: string, member: string, isWanted: (text: string) => boolean): boolean {
  for (let at = eventsJson.indexOf(member); at >= 0; at = eventsJson.indexOf(member, at + member.length)) {
    const start = at + member.length
    const isText = eventsJson[start] === '"'
    const text = isText ? textAt(eventsJson, start + 1) : plainAt(eventsJson, start)
    if (/^[[{]|\\/.test(text) || isWanted(text)) return true
  }
  return false
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
