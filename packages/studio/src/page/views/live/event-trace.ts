/** Where an event came from and what became of it, as `GET /v1/events/{messageId}` shows it. */
export interface EventTrace {
  readonly messageId: string
  readonly sourceId: string
  readonly acceptedAt?: string
  readonly destinations: readonly DestinationTrace[]
}

export interface DestinationTrace {
  readonly destinationId: string
  readonly outcome: string
  readonly stages: readonly { readonly stage: string; readonly outcome: string }[]
  readonly at?: string
  readonly reason?: string
  readonly code?: string
  readonly docs?: string
  readonly outputs: number
  readonly versionId?: string
  readonly attempts?: number
  readonly tries?: readonly EventTry[]
  readonly position?: number
  readonly nextTryAt?: string
  readonly deadLetterIds: readonly string[]
}

export interface EventTry {
  readonly at: string
  readonly status?: number
  readonly code?: string
  readonly tookMs: number
}
