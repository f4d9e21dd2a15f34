import type { Clock, JsonObject } from '@sluice/core'
import {
  type CredentialCheck,
  createSecretMask,
  type DestinationDefinition,
  type SecretMask,
  type Verdict,
} from '@sluice/destinations/kit'
import { hostOf, type Transport, type TransportResult } from '../transport/transport.ts'
import { maskTokens } from './account/mask-tokens.ts'
import { createActionTokens } from './action/action-tokens.ts'
import { type ActionRun, type ActionStep, runAction } from './action/run-action.ts'
import { causeOf } from './replies/judgement.ts'
import { replyExcerpt } from './replies/reply-excerpt.ts'

export interface CheckOptions {
  readonly definition: Pick<DestinationDefinition, 'secrets' | 'action'>
  /** Complete settings, as returned by `parseSettings`. */
  readonly settings: JsonObject
  readonly transport: Transport
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds for the check, and as long again for requesting tokens. Default 10,000. */
  readonly timeMs?: number
}

/** Longest reason that is reported, in characters. */
const reasonLengthMax = 1_000

/**
 * Sends the harmless request of a definition that shows whether the credentials in its settings are valid. The tokens of
 * an account are requested first, and once more when the product refuses them.
 *
 * @returns undefined when the definition has no such request.
 * @throws the abort reason once `signal` is aborted.
 */
export async function checkCredentials(options: CheckOptions): Promise<CredentialCheck | undefined> {
  const { definition, settings, transport, clock, signal, timeMs = 10_000 } = options
  const { action } = definition
  if (action?.check === undefined) return undefined
  const check = action.check.bind(action)
  const { account } = action
  const tokens = account && createActionTokens({ account, settings, transport, clock, timeMs })
  for (let isRenewed = false; ; isRenewed = true) {
    const found = await tokens?.get(signal)
    const mask = maskTokens(createSecretMask(definition, settings), found?.ok ? found.value : {}).value
    if (found?.ok === false) return withoutTokens(found.result, mask)
    const run = await runAction<Verdict>(
      { transport, signal, timeMs },
      (call) => check({ ...call, settings, tokens: found?.value }),
      () => ({ outcome: 'retry', status: 504, message: `The check did not end within ${timeMs} ms.` }),
    )
    if (found === undefined || isRenewed || run.value.outcome !== 'refresh') return resultOf(run, mask)
    tokens?.refuse(found.value)
  }
}

/** @param result as `createActionTokens` returns it: its body says what was wrong, without the text of the reply. */
function withoutTokens(result: TransportResult, mask: SecretMask['value']): CredentialCheck {
  const isRefused = result.kind === 'reply' ? result.status < 500 : result.kind === 'unsendable'
  const why = result.kind === 'reply' ? result.body : result.message
  return failed(isRefused ? 'invalid' : 'undecided', `Its account returned no tokens: ${why}`, mask)
}

function resultOf({ value, steps }: ActionRun<Verdict>, mask: SecretMask['value']): CredentialCheck {
  if (value.outcome === 'delivered') return { result: 'valid' }
  const last = steps.at(-1)
  // Without a reply the product decided nothing.
  const isUnanswered = last !== undefined && last.result.kind !== 'reply'
  const isTemporary = value.outcome === 'retry' || value.outcome === 'throttled' || value.status >= 500
  return failed(isTemporary || isUnanswered ? 'undecided' : 'invalid', reasonOf(value, last), mask)
}

function reasonOf({ message }: Verdict, last: ActionStep | undefined): string {
  if (last === undefined) return message
  const { request, result } = last
  if (result.kind !== 'reply') return result.message
  if (result.status < 300) return message
  return `${hostOf(request)}: ${causeOf(result.status)} ${replyExcerpt(result.body, request)}`.trim()
}

/** Masked before it is cut, so that no half of a secret remains. */
function failed(result: 'invalid' | 'undecided', reason: string, mask: SecretMask['value']): CredentialCheck {
  return { result, reason: String(mask(reason)).slice(0, reasonLengthMax) }
}
