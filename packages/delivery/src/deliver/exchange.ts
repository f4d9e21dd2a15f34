import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import type { TransportResult } from '../transport/transport.ts'
import type { ActionStep } from './action/run-action.ts'
import type { Judgement } from './replies/judgement.ts'

/** A request that was sent once, and its result. */
export interface Exchange {
  /** The request with its tokens: never to be shown. */
  readonly sent: DeliveryRequest
  readonly result: TransportResult
  /** `refresh` when the tokens were refused and new ones may help. */
  readonly judgement: Judgement
  /** The HTTP requests of an action. Never to be shown unmasked. */
  readonly steps?: readonly ActionStep[]
  /** Tokens of the account that an action used. Never to be shown. */
  readonly tokens?: JsonObject
}
