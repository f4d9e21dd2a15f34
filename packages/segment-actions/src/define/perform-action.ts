import type { Event, JsonObject } from '@sluice/core'
import { isJsonObject } from '@sluice/core'
import type { PerformCall, Verdict } from '@sluice/destinations'
import { toSegmentEvent } from '../map/to-segment-event.ts'
import type { SegmentCore } from '../peer/segment-core.ts'
import type { SegmentData, SegmentDefinition } from '../peer/segment-definition.ts'
import { readActionRequest } from '../send/action-request.ts'
import { audienceMembership } from '../send/audience-membership.ts'
import { createInertContext } from '../send/create-inert-context.ts'
import { runSegmentCode } from '../send/run-segment-code.ts'
import { verdictOfBatch } from '../send/verdict-of-batch.ts'
import { verdictOfError } from '../send/verdict-of-error.ts'
import type { CompiledSubscription } from './compiled-subscriptions.ts'
import { authOf } from './read-tokens.ts'
import { usesAccount } from './settings-schema.ts'

interface ActionPerformer {
  readonly definition: SegmentDefinition
  readonly core: SegmentCore
  /** Subscriptions of the settings, in the order that requests name them by. */
  subscriptionsOf(settings: JsonObject): readonly CompiledSubscription[]
}

/** Performs one ACTION request: `perform` for one payload, `performBatch` for a list, `onDelete` for a deletion. */
export async function performAction(performer: ActionPerformer, call: PerformCall): Promise<Verdict> {
  const { definition, core } = performer
  const hasAccount = usesAccount(definition.authentication)
  const content = readActionRequest(call.request)
  if (content.kind === 'refused') return { outcome: 'aborted', status: 400, message: content.refusal }
  // Actions change their payload, and a retry needs it as it was.
  const data = dataOf(call, structuredClone('payloads' in content ? content.payloads : content.payload))
  const run = (code: Parameters<typeof runSegmentCode>[1], given: SegmentData): Promise<unknown> =>
    runSegmentCode({ definition, core, call, data: given }, code)
  try {
    if (content.kind === 'deletion') {
      await run((request, given) => definition.onDelete?.(request, given), data)
      return delivered
    }
    const action = definition.actions[content.action]
    const subscription = performer.subscriptionsOf(call.settings)[content.subscription]
    if (action === undefined || subscription === undefined) return noSuchAction(content.action)
    const given = withEvents(data, call.events, subscription, content.kind === 'batch')
    if (content.kind === 'one') {
      await run((request, each) => action.perform(request, each), given)
      return delivered
    }
    const result = await run((request, each) => action.performBatch?.(request, each), given)
    return verdictOfBatch(result, content.payloads.length, hasAccount)
  } catch (error) {
    call.signal.throwIfAborted()
    return verdictOfError(error, hasAccount)
  }
}

const delivered: Verdict = { outcome: 'delivered', status: 200, message: '' }

/** The workspace changed while the event waited. */
function noSuchAction(name: string): Verdict {
  return {
    outcome: 'aborted',
    status: 400,
    message: `The settings have no subscription for the action ${name} any more.`,
  }
}

/** The data that every function of a definition gets. */
export function dataOf(
  { settings, tokens, signal }: Pick<PerformCall, 'settings' | 'tokens' | 'signal'>,
  payload?: JsonObject | readonly JsonObject[],
): SegmentData {
  const { subscriptions: _, oauth: __, allowOwnNetwork: ___, ...own } = settings
  return {
    ...createInertContext(),
    settings: structuredClone(own),
    ...(payload === undefined ? {} : { payload }),
    auth: authOf(tokens),
    signal,
  }
}

/** Adds what comes from the events. Copied only when the action reads it, which few do. */
function withEvents(
  data: SegmentData,
  events: readonly Event[],
  { mapping, syncMode, matchingKey }: CompiledSubscription,
  isBatch: boolean,
): SegmentData {
  const [first = {}] = events
  const membership = events.map((event) => audienceMembership(toSegmentEvent(event), syncMode))
  const { context } = first
  const personas = isJsonObject(context) && isJsonObject(context['personas']) ? context['personas'] : undefined
  const raw = (): unknown => structuredClone(isBatch ? events.map(toSegmentEvent) : toSegmentEvent(first))
  const given = {
    ...data,
    audienceMembership: isBatch ? membership : membership[0],
    audienceSettings: structuredClone(personas?.['audience_settings'] ?? {}),
    ...(personas ? { personasContext: structuredClone(personas) } : {}),
    hookOutputs: hookOutputsOf(mapping),
    ...(syncMode === undefined ? {} : { syncMode }),
    ...(matchingKey === undefined ? {} : { matchingKey }),
  }
  return Object.defineProperties(given, {
    rawData: { enumerable: true, configurable: true, get: raw },
    rawMapping: { enumerable: true, configurable: true, get: () => structuredClone(mapping) },
  })
}

/** What Segment's page stored in the mapping when it was saved, such as the id of a list it created. */
function hookOutputsOf(mapping: JsonObject): JsonObject {
  const hooks = ['onMappingSave', 'retlOnMappingSave'].filter((name) => isJsonObject(mapping[name]))
  return Object.fromEntries(hooks.map((name) => [name, structuredClone(mapping[name] ?? null)]))
}
