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
  /** One per item of the request, in its order (`Batch.items`), where the reply tells them apart. Each outdoes `outcome`. */
  readonly items?: readonly ItemVerdict[]
}

/** How a definition reads what a reply says of one item of a batch. */
export type ItemVerdict = Omit<Verdict, 'items'>
