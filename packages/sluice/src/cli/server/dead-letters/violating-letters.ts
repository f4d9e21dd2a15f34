import { askServer, type ServerFlags } from '../ask-server.ts'
import type { DeadLetter } from './dead-letters-text.ts'

interface Page {
  readonly data: readonly DeadLetter[]
  readonly paging: { readonly next?: string }
}

/** Dead letters of one page. */
const pageSize = '1000'

/**
 * Returns the ids of the dead letters that tracking plans keep in quarantine.
 * @param violation a rule, such as `type` or `unplanned`, or a key path, such as `properties.total`.
 */
export async function violatingLetters(
  flags: ServerFlags,
  violation: string,
  destinationId?: string,
): Promise<readonly string[]> {
  const query = new URLSearchParams({ code: 'plan.violated', masked: 'true', limit: pageSize })
  if (destinationId !== undefined) query.set('destinationId', destinationId)
  const ids: string[] = []
  for (let path: string | undefined = `/v2/dead-letters?${query}`; path !== undefined; ) {
    const page: Page = await askServer<Page>(flags, 'GET', path)
    ids.push(...page.data.filter(({ reason }) => hasViolation(reason, violation)).map(({ id }) => id))
    path = page.paging.next
  }
  return ids
}

/** Whether a reason names a rule or a key: `violates the tracking plan: properties.total (type), properties.id (required)`. */
function hasViolation(reason: string, violation: string): boolean {
  if (reason.includes(` (${violation})`)) return true
  return [': ', ', '].some((before) => reason.includes(`${before}${violation} (`))
}
