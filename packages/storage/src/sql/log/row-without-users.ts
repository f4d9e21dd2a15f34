import { mayBeOf, withoutUsers } from '../../without-users.ts'
import { eventsColumns, eventsOf, type LogRow } from './log-rows.ts'

/**
 * Returns what is stored of a row when some users are erased from it, and how many events that were; undefined when it
 * stays as it is. Where events are kept as they were sent, and may name such a user, all of them are completed: a name
 * that a later member of the same name replaced would stay in their text.
 */
export function rowWithoutUsers(
  row: Pick<LogRow, 'events_json' | 'completion_json'>,
  wanted: ReadonlySet<string>,
): { readonly erased: number; readonly columns: ReturnType<typeof eventsColumns> } | undefined {
  if (!mayBeOf(row.events_json, wanted)) return undefined
  const { kept, erased } = withoutUsers(eventsOf(row), wanted)
  return erased === 0 && row.completion_json === null ? undefined : { erased, columns: eventsColumns(kept) }
}
