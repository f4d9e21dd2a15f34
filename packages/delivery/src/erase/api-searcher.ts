import { type Clock, identifierText, type JsonObject, type Random, uuidV4 } from '@sluice/core'
import { createSecretMask, type DestinationDefinition, isMappingError, type SearchRule } from '@sluice/destinations/kit'
import { createExchange } from '../deliver/create-exchange.ts'
import type { Transport } from '../transport/transport.ts'

export interface ApiSearcherOptions {
  readonly definition: DestinationDefinition
  readonly rule: SearchRule
  /** Complete settings, as returned by `parseSettings`. */
  readonly settings: JsonObject
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
}

/** Records of a person that a destination has, with what they are; or why that is not known. */
export type FoundRecords =
  | { readonly ok: true; readonly count: number; readonly note?: string }
  | { readonly ok: false; readonly reason: string }

/** Time limit of one request in milliseconds. */
const timeMs = 30_000

/** Creates a function that finds records of a user at a destination, as the definition declares, and changes nothing. */
export function createApiSearcher({ definition, rule, settings, transport, clock, random }: ApiSearcherOptions) {
  const { account, action, load } = definition
  const mask = createSecretMask(definition, settings)
  const identifier = definition.deletion?.identifier?.(settings) ?? 'userId'
  const exchange = createExchange({
    definition: {
      account,
      action,
      load,
      respond: rule.respond?.bind(rule),
    },
    settings,
    transport,
    lookupTransport: transport,
    clock,
    timeMs,
  })
  return async (user: JsonObject, signal: AbortSignal): Promise<FoundRecords> => {
    if (identifierText(user[identifier]) === '')
      return { ok: false, reason: `the regulation has no ${identifier}, which identifies users there` }
    const requests = rule.requests(user, settings, { now: clock.now(), requestId: uuidV4(random) })
    if (isMappingError(requests)) return { ok: false, reason: requests.message }
    let count = 0
    const notes: string[] = []
    for (const request of requests) {
      let { judgement } = await exchange(request, { signal }, [])
      if (judgement.outcome === 'refresh') ({ judgement } = await exchange(request, { signal }, []))
      const [item] = judgement.items ?? []
      if (judgement.outcome !== 'delivered' || item?.records === undefined)
        return { ok: false, reason: String(mask.value(judgement.cause || 'the destination did not say what it has')) }
      count += item.records
      if (item.message !== '') notes.push(item.message)
    }
    return { ok: true, count, note: notes.length > 0 ? notes.join(', ') : undefined }
  }
}
