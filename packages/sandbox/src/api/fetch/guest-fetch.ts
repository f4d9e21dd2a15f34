import type { JsonObject, JsonValue } from '@sluice/core'

/** A response with its body as text. */
export interface FetchedText {
  readonly url: string
  readonly status: number
  /** Lower-case names. */
  readonly headers: JsonObject
  readonly text: string
}

/** Fetches for user code. @throws Error with a message for user code that contains no details of the host system. */
export type GuestFetch = (url: string, options: JsonValue | undefined, signal: AbortSignal) => Promise<FetchedText>
