import { keyText, type RecordKey } from '../records/configuration-record.ts'
import type { ResolvedChange } from '../records/resolve-records.ts'
import { type ConfigurationResult, refused } from './configuration-error.ts'
import { nameOf, type PlannedRecords, refusedAsInvalid } from './plan-records.ts'

type Refusal = ConfigurationResult<never> | undefined

/** Most records that a refusal names. */
const namedMax = 20

/**
 * Returns why planned records cannot be stored: one is invalid, or others would not work any more.
 * @param result what they would result in.
 */
export function planRefusal(
  { put, remove, positions }: PlannedRecords,
  result: Pick<ResolvedChange, 'invalid' | 'broken'>,
): Refusal {
  const invalid = put.flatMap((key) => {
    const found = result.invalid.get(keyText(key))
    return found ? [{ key, position: positions.get(keyText(key)) ?? 0, problems: found.problems }] : []
  })
  if (invalid.length > 0) return refusedAsInvalid(invalid)
  if (result.broken.length === 0) return undefined
  const [first] = remove
  const what = first ? `${nameOf(first.kind)} ${first.id}` : 'the record'
  const others = result.broken.flatMap(({ record }): RecordKey[] => (record ? [record] : []))
  const named = others.slice(0, namedMax).map(({ kind, id }) => `${nameOf(kind)} ${id}`)
  const verb = named.length > 1 ? 'refer' : 'refers'
  const who = named.length > 0 ? named.join(', ') : 'the workspace file'
  return refused('recordConnected', `${what} has active connections: ${who} ${verb} to it; delete them first`)
}

/**
 * Returns why destinations cannot be deleted: events are waiting for one.
 * @param waiting returns the number of events that were accepted for a destination and have not ended.
 */
export async function waitingRefusal(
  { remove }: Pick<PlannedRecords, 'remove'>,
  waiting: (workspaceId: string, destinationId: string) => Promise<number>,
): Promise<Refusal> {
  for (const { workspaceId, kind, id } of remove) {
    const events = kind === 'destination' ? await waiting(workspaceId, id) : 0
    if (events === 0) continue
    const what = `${events} ${events === 1 ? 'event is' : 'events are'} waiting for destination ${id}`
    return refused(
      'eventsWaiting',
      `${what}; wait until they are delivered, or delete it with force=true, which makes them dead letters`,
      { details: { destinationId: id, waiting: events } },
    )
  }
  return undefined
}
