/// <reference lib="es2024.string" />
import { byHand, type DeletionJob, isDoneByHand, isUnsupported, ownData } from '../deletion/deletion-job.ts'
import type { Regulation } from '../regulation.ts'
import type { CertifiedPlace } from './deletion-certificate.ts'
import { ownPlaces, searchedByPerson, type UserSearch } from './user-search.ts'

/** A destination as it is configured now. */
export interface CertifiedDestination {
  readonly id: string
  readonly name: string
  readonly type: string
  /** Names of the identifiers by which it finds persons. */
  readonly searchedBy: readonly string[]
  /** What it keeps of a person nevertheless, as a noun. */
  readonly keeps?: string
}

const leftOut = 'left out, because it contains an id of the person; the report of the deletion has it'

/**
 * Returns the places that may have had data of a person, with the result of each.
 * @param jobs of the regulation, which are over.
 * @param identifiers names of the identifiers of the person.
 * @param search of now, in what Sluice itself keeps: what deleted may have been an earlier version, which knew less.
 */
export function certifiedPlaces(
  { attributes, destinationIds }: Pick<Regulation, 'attributes' | 'destinationIds'>,
  jobs: readonly DeletionJob[],
  destinations: readonly CertifiedDestination[],
  identifiers: readonly string[],
  { searched }: Pick<UserSearch, 'searched'>,
): readonly CertifiedPlace[] {
  const found = new Map(searched.map(({ where, count }) => [where, count]))
  const ids = Object.values(attributes)
  const known = new Map(destinations.map((each) => [each.id, each]))
  const places = jobs.flatMap((job): readonly CertifiedPlace[] => {
    const result = resultOf(job, ids)
    if (job.destinationId === ownData)
      return Object.values(ownPlaces).map(({ where, by }) => ({
        name: where,
        searched_by: by === 'person' ? identifiers.filter((name) => searchedByPerson.has(name)) : identifiers,
        ...result,
        ...foundAgain(result, found.get(where) ?? 0),
      }))
    const destination = known.get(job.destinationId)
    const isSearched = result.status === 'complete'
    return [
      {
        name: destination?.name ?? job.destinationId,
        destination_id: job.destinationId,
        destination_type: destination?.type,
        searched_by: isSearched ? (destination?.searchedBy ?? []) : [],
        ...result,
      },
    ]
  })
  const covered = new Set(jobs.map(({ destinationId }) => destinationId))
  // A regulation that names no destination covered all there were; later ones got no event of the person.
  const others = destinationIds.length === 0 ? [] : destinations.filter(({ id }) => !covered.has(id))
  return [
    ...places,
    ...others.map(
      ({ id, name, type }): CertifiedPlace => ({
        name,
        destination_id: id,
        destination_type: type,
        searched_by: [],
        status: 'not_requested',
        reason: 'the regulation does not name this destination',
      }),
    ),
  ]
}

function foundAgain({ status }: Pick<CertifiedPlace, 'status'>, count: number): Partial<CertifiedPlace> {
  if (status !== 'complete' || count === 0) return {}
  return { status: 'found', reason: `${count} found when the certificate was made` }
}

function resultOf(
  job: DeletionJob,
  ids: readonly string[],
): Pick<CertifiedPlace, 'status' | 'reason' | 'deleted' | 'ended_time'> {
  const { status, reason, updatedAt } = job
  const text = reason === undefined ? undefined : withoutIds(reason, ids)
  const ended_time = new Date(updatedAt).toISOString()
  if (isDoneByHand(job))
    return { status: 'done_by_hand', reason: text === leftOut ? `${byHand}; the note is ${leftOut}` : text, ended_time }
  if (status === 'complete') return { status, deleted: text, ended_time }
  return { status: isUnsupported(job) ? 'not_supported' : 'aborted', reason: text ?? 'no reason is known', ended_time }
}

/** Returns a text, or a remark when it contains one of the ids: destinations may repeat ids in their answers. */
function withoutIds(text: string, ids: readonly string[]): string {
  const lower = text.toLowerCase()
  const forms = ids.flatMap((id) => [id, encodeURIComponent(id.toWellFormed()), JSON.stringify(id).slice(1, -1)])
  return forms.some((form) => form.trim() !== '' && lower.includes(form.toLowerCase())) ? leftOut : text
}
