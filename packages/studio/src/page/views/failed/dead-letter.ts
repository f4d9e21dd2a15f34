/** One failed event, as `GET /v2/dead-letters` shows it. */
export interface DeadLetter {
  readonly id: string
  readonly destinationId: string
  readonly sourceId: string
  readonly messageId: string
  readonly at: string
  readonly stage: string
  readonly code: string
  readonly reason: string
  /** Path of the page about the code. */
  readonly docs?: string
  readonly request?: unknown
  readonly reply?: unknown
  readonly status?: number
  readonly attempts?: number
  readonly event: Readonly<Record<string, unknown>>
}

/** A page of them. */
export interface LetterPage {
  readonly data: readonly DeadLetter[]
  readonly paging: { readonly next?: string }
}
