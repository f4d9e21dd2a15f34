/** One regulation, as `GET /v2/regulations` lists it. */
export interface Regulation {
  readonly id: string
  readonly canceled: boolean
  readonly regulationType: 'suppress' | 'suppress_with_delete'
  readonly attributes: Readonly<Record<string, string>>
  readonly createdAt?: string
}

/** A regulation as `GET /v2/regulations/overview` lists it. */
export interface Overview extends Pick<Regulation, 'id' | 'regulationType' | 'attributes'> {
  readonly createdAt: string
  readonly state: 'inForce' | 'canceled'
  /** Absent without deletions, or without the scope operate. */
  readonly deletions?: {
    readonly total: number
    readonly complete: number
    readonly open: number
    readonly aborted: number
    /** Of the open ones, those that need the key of the ledger. */
    readonly waiting?: number
  }
}

/** The deletion of a person at one place. */
export interface Deletion {
  /** Absent for Sluice itself. */
  readonly destinationId?: string
  readonly destination: string
  readonly status: string
  readonly reason?: string
  /** Whether a person has noted that it is done. */
  readonly byHand?: boolean
  readonly attempts: number
  readonly nextAt?: string
  readonly updatedAt: string
}

/** A regulation with its deletions, as `GET /v2/regulations/{id}/deletions` shows them. */
export interface Deletions {
  readonly regulation: Regulation & { readonly createdAt: string }
  readonly data: readonly Deletion[]
  readonly isOver: boolean
}

/** Returns what a regulation does, in words. */
export function typeText({ regulationType }: Pick<Regulation, 'regulationType'>): string {
  return regulationType === 'suppress' ? 'Suppress' : 'Suppress and delete'
}
