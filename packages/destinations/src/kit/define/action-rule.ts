import type { Event, JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import type { AccountTokens } from './account/account-rule.ts'
import type { Verdict } from './reply/reply.ts'

/** Result of one request of an action. The members are those of a delivery transport. */
export type ActionReply =
  | {
      readonly kind: 'reply'
      readonly status: number
      /** Names are in lower case. */
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
      /** Whether the reply was longer than delivery reads: `body` is only its beginning. */
      readonly isCut?: true
    }
  /** No complete reply, or nothing was sent. */
  | { readonly kind: 'network' | 'unsendable'; readonly code: string; readonly message: string }

/** What the functions of an action may use. */
export interface ActionCall {
  readonly settings: JsonObject
  /** Tokens of the account, if there is one. Secret. */
  readonly tokens?: JsonObject
  /**
   * Sends one HTTP request through the transport of delivery, without retries and redirects. Failures are values.
   * Rejects when the call has ended: its time is over, or delivery stops.
   *
   * @param timeMs time limit in milliseconds; the rest of the call's time when that is less.
   */
  send(request: DeliveryRequest, timeMs?: number): Promise<ActionReply>
  /** Aborts when the time of the call is over, and when delivery stops. */
  readonly signal: AbortSignal
}

/** One ACTION request to be performed. */
export interface PerformCall extends ActionCall {
  /** As made by `requests` of the definition, or merged by its `batch`. */
  readonly request: DeliveryRequest
  /** The mapped events that the request carries, in the order of its items. Empty for deletions. Frozen. */
  readonly events: readonly Event[]
  /** The workspace, in whose share of processes and connections the request is performed. Empty when it is not known. */
  readonly owner: string
}

/**
 * How a definition carries out its ACTION requests with code of its own, which may send several HTTP requests and decide
 * by their replies. This code is not pure, and it is trusted: it runs in the process of delivery. All its requests go
 * through `send`, so that limits, address checks and records apply.
 */
export interface ActionRule {
  /** Performs one request. Returns all failures as verdicts. */
  perform(call: PerformCall): Promise<Verdict>
  /** Account whose tokens are passed in calls. Absent when the settings contain all credentials. */
  readonly account?: ActionAccount
  /**
   * Returns whether a request opens connections of its own instead of using `send`. Such requests are never performed
   * for a preview.
   */
  hasOwnNetwork?(request: DeliveryRequest): boolean
  /** Sends a harmless request that shows whether the credentials are valid. Absent when the product has none. */
  check?(call: ActionCall): Promise<Verdict>
}

/** An account whose tokens are requested by code. */
export interface ActionAccount {
  /** Returns the tokens in the settings, if any. They are used until the destination refuses them. */
  readonly storedTokens: (settings: JsonObject) => JsonObject | undefined
  /** Requests new tokens. @returns undefined when the account issues none. */
  readonly refresh: (call: ActionCall) => Promise<AccountTokens | undefined>
  /** Whether new tokens may bring another refresh token than the one in the settings: see `AccountRule.rotates`. Default never. */
  readonly mayRotate?: (settings: JsonObject) => boolean
}
