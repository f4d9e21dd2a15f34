import type { JsonObject } from '@sluice/core'
import type { Pairs } from './intake.ts'

/** Members of an event inside each other; an event may have 256 levels. */
const levelsMax = 256
/** Parameters that become no members: the credential, and the choice of destinations, which has no texts as values. */
const leftOut = /^(?:writeKey|integrations)(?:\.|$)/

type Members = Map<string, Members | string>

/**
 * Returns the event of a query whose parameters have dots in their names: `context.page.url=x` becomes
 * `{context: {page: {url: 'x'}}}`. All values are texts. A later parameter replaces an earlier one of the same place.
 * @returns undefined when a name has more than 256 levels.
 */
export function queryEvent(query: Pairs): JsonObject | undefined {
  const event: Members = new Map()
  for (const [name, value] of query) {
    if (leftOut.test(name)) continue
    const path = name.split('.')
    if (path.length > levelsMax) return undefined
    const last = path.pop() ?? ''
    membersAt(event, path).set(last, value)
  }
  return toObject(event)
}

function membersAt(event: Members, path: readonly string[]): Members {
  return path.reduce((members, name) => {
    const known = members.get(name)
    const inner: Members = known instanceof Map ? known : new Map()
    members.set(name, inner)
    return inner
  }, event)
}

/** Members such as `__proto__` are own members like any other. */
function toObject(members: Members): JsonObject {
  return Object.fromEntries(
    [...members].map(([name, value]) => [name, typeof value === 'string' ? value : toObject(value)]),
  )
}
