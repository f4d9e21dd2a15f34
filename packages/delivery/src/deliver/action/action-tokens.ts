import type { Clock, JsonObject } from '@sluice/core'
import type { AccountTokens, ActionAccount } from '@sluice/destinations'
import type { Transport, TransportResult } from '../../transport/transport.ts'
import { tokenFailure } from '../account/token-failure.ts'
import { createLookups, type LookupAnswer, type LookupResult } from '../questions/lookups.ts'
import { runAction } from './run-action.ts'

/** The tokens that the actions of one destination share. */
interface ActionTokens {
  /** Returns the tokens, after requesting them if necessary. @throws the abort reason. */
  get(signal: AbortSignal): Promise<LookupResult<JsonObject>>
  /** Reports that the destination refused these tokens, so that the next caller gets new ones. */
  refuse(tokens: JsonObject): void
}

interface ActionTokensOptions {
  readonly account: ActionAccount
  readonly settings: JsonObject
  readonly transport: Transport
  readonly clock: Clock
  /** Milliseconds for a request of new tokens. */
  readonly timeMs: number
}

const key = 'tokens'

/** Starts with the tokens in the settings. New ones are requested once for all callers. */
export function createActionTokens({ account, settings, transport, clock, timeMs }: ActionTokensOptions): ActionTokens {
  const lookups = createLookups<JsonObject>({ clock, entriesMax: 1 })

  async function ask(previous?: JsonObject): Promise<LookupAnswer<JsonObject>> {
    const stored = previous === undefined ? account.storedTokens(settings) : undefined
    if (stored) return { ok: true, value: stored }
    // Not the signal of the first caller: others wait for the tokens too. The time limit bounds it.
    const { signal } = new AbortController()
    const { value, steps } = await runAction<AccountTokens | 'late' | undefined>(
      { transport, signal, timeMs },
      (call) => account.refresh({ ...call, settings, tokens: previous }),
      () => 'late',
    )
    if (value === 'late') return { ok: false, result: tooLate(timeMs) }
    if (value === undefined) return { ok: false, result: tokenFailure(steps.at(-1)?.result ?? noTokens) }
    const { tokens, lifetimeMs } = value
    return { ok: true, value: tokens, lifetimeMs }
  }

  return {
    get: (signal) => lookups.get({ key, ask }, signal),
    refuse: (tokens) => lookups.expire(key, tokens),
  }
}

/** The account may be slow for a while, so events are tried again. */
function tooLate(timeMs: number): TransportResult {
  return { kind: 'network', code: 'ETIMEDOUT', message: `The account issued no tokens within ${timeMs} ms.` }
}

const noTokens: TransportResult = {
  kind: 'unsendable',
  code: 'ERR_NO_TOKENS',
  message: 'The account issues no new tokens.',
}
