import { furtherIdentifiers } from '@sluice/core'

/** What is held of a person. Only what was searched is in `searched`. */
export interface UserSearch {
  readonly searched: readonly SearchedPlace[]
  readonly notSearched: readonly UnsearchedPlace[]
}

export interface SearchedPlace {
  readonly where: string
  /** Absent for what Sluice itself keeps. */
  readonly destinationId?: string
  /** Records of the person that were found. */
  readonly count: number
  /** What was found, or by what it was searched. */
  readonly note?: string
  /** Time of the oldest of them, milliseconds since the epoch, where the place knows times. */
  readonly since?: number
}

export interface UnsearchedPlace {
  readonly where: string
  /** Absent for what Sluice itself keeps. */
  readonly destinationId?: string
  readonly reason: string
  /** Whether the place can be searched, so that it may have records of the person: nothing is proved then. */
  readonly hasFailed?: true
}

/**
 * What Sluice itself keeps of persons, and by what it is searched: whom an event is about (see `searchedByPerson`), or every
 * identifier of the regulation.
 */
export const ownPlaces = {
  log: { where: 'event log', by: 'person' },
  waiting: { where: 'waiting for a destination', by: 'person' },
  deadLetters: { where: 'dead letters', by: 'person' },
  receipts: { where: 'receipts', by: 'every' },
  samples: { where: 'samples of the catalogue', by: 'every' },
  values: { where: 'frequent values of the catalogue', by: 'every' },
} as const satisfies Record<string, { readonly where: string; readonly by: 'person' | 'every' }>

/** Names of the identifiers by which events are found: see `keysOfPerson`. */
export const searchedByPerson: ReadonlySet<string> = new Set(['userId', ...furtherIdentifiers])
