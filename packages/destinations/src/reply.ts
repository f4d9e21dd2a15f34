import type { JsonValue } from '@sluice/core'

/** What a destination answered. */
export interface DestinationReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed where it is JSON, else the text. */
  readonly body: JsonValue
}

/** What to do about a reply. `refresh` asks for new OAuth tokens before the next try. */
export type ReplyOutcome = 'delivered' | 'retry' | 'throttled' | 'aborted' | 'refresh'

/** How a definition reads a reply. */
export interface Verdict {
  readonly outcome: ReplyOutcome
  /** The status to report: destinations may answer 200 and mean something else. */
  readonly status: number
  readonly message: string
  /** Of a batch, one per event in the order of the batch, where the reply tells them apart. */
  readonly items?: readonly { readonly outcome: ReplyOutcome; readonly status: number; readonly message: string }[]
}
