import type { CertifiedDestination } from './certified-places.ts'
import type { CertifiedPlace } from './deletion-certificate.ts'
import { searchedByPerson } from './user-search.ts'

/** What is kept of every person. */
const always: readonly string[] = [
  'the regulation with the ids of the person and its deletions, because they keep the person suppressed and the record of it',
  'the line of the ledger, with fingerprints of the ids',
  'the ids in the ledger, encrypted, where it has a key of the operator: until backups from before the deletion are not kept any more',
  'events of guests in the log, events that wait and dead letters, if they have only an anonymousId that another event had together with the userId: regulations for these anonymousIds delete them',
]

/**
 * Returns what is kept of a person although every place was searched: by identifiers that a place does not know, nothing is
 * found in it.
 * @param identifiers names of the identifiers of the person.
 */
export function keptData(
  identifiers: readonly string[],
  places: readonly CertifiedPlace[],
  destinations: readonly CertifiedDestination[],
): readonly string[] {
  const unknown = identifiers.filter((name) => !searchedByPerson.has(name))
  const further = identifiers.filter((name) => name !== 'userId')
  const narrow = places.filter(
    ({ destination_id, status, searched_by }) =>
      destination_id !== undefined && status === 'complete' && further.some((name) => !searched_by.includes(name)),
  )
  const deleted = new Set(
    places.flatMap(({ destination_id, status }) => (status === 'complete' ? (destination_id ?? []) : [])),
  )
  return [
    ...always,
    ...(unknown.length > 0
      ? [
          `events in the log, dead letters and events that wait, if they name the person by no other identifier than ${unknown.join(', ')}`,
        ]
      : []),
    ...(narrow.length > 0
      ? [
          `records in ${narrow.map(({ name }) => name).join(', ')}, if they name the person by no identifier in searched_by`,
        ]
      : []),
    ...destinations.flatMap(({ id, name, keeps }) =>
      keeps !== undefined && deleted.has(id) ? [`${keeps} in ${name}`] : [],
    ),
  ]
}
