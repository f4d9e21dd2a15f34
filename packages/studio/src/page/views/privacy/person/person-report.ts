import { countText } from '../../../parts/format/count.tsx'
import type { Regulation } from '../regulation.ts'

/** What is held of a person, and who got it. */
interface Counts {
  readonly held: readonly { readonly where: string; readonly count: number; readonly note?: string }[]
  readonly destinations: readonly { readonly destinationId: string; readonly events: number }[]
  /** What could not be counted. */
  readonly notes: readonly string[]
}

/** As `POST /v2/users/find` answers. */
export interface FoundPerson extends Counts {
  readonly userKeys: readonly PersonKey[]
}

/** An id by which events name a person. */
export interface PersonKey {
  readonly kind: 'userId' | 'anonymousId' | 'otherId'
  readonly id: string
}

/** As `POST /v2/users/report` answers. */
export interface PersonReport extends Counts {
  /** Those in force. */
  readonly regulations: readonly (Pick<Regulation, 'id' | 'regulationType'> & { readonly createdAt: string })[]
}

/** Returns how many records are held in Sluice. */
export function heldCount({ held }: Pick<Counts, 'held'>): number {
  return held.reduce((sum, { count }) => sum + count, 0)
}

/** Returns how much a deletion of the person is about, in words. */
export function heldText(report: Counts): string {
  const count = heldCount(report)
  const places = report.destinations.length === 1 ? '1 destination' : `${report.destinations.length} destinations`
  return `${countText(count)} ${count === 1 ? 'record is' : 'records are'} held in Sluice, and ${places} got events, as far as is known.`
}
