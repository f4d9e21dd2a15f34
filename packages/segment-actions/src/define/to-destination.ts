import { InvariantError, identifierText, type JsonObject } from '@sluice/core'
import {
  type ActionAccount,
  type ActionRule,
  convert,
  type DeletionRule,
  type DeliveryRequest,
  type DestinationDefinition,
  defineDestination,
  everyType,
  isMappingError,
  type MappingError,
  type SettingsProblem,
} from '@sluice/destinations/kit'
import { toSegmentEvent } from '../map/to-segment-event.ts'
import type { OwnNetwork } from '../peer/own-network.ts'
import type { SegmentCore } from '../peer/segment-core.ts'
import type { SegmentDefinition } from '../peer/segment-definition.ts'
import { type ActionContent, toActionRequest } from '../send/action-request.ts'
import { runSegmentCode } from '../send/run-segment-code.ts'
import { verdictOfError } from '../send/verdict-of-error.ts'
import { actionBatches } from './action-batches.ts'
import { type CompiledSubscription, createSubscriptionCompiler } from './compiled-subscriptions.ts'
import { dataOf, performAction } from './perform-action.ts'
import { publicActions } from './public-actions.ts'
import { readTokens, storedTokens } from './read-tokens.ts'
import { settingsSchema, usesAccount } from './settings-schema.ts'

interface ToDestinationOptions {
  /** Type of the destination, such as `segment/amplitude`. */
  readonly type: string
  readonly definition: SegmentDefinition
  readonly core: SegmentCore
  readonly ownNetwork: OwnNetwork
}

/** Returns one of Segment's definitions as a destination of Sluice. */
export function toDestination({ type, definition, core, ownNetwork }: ToDestinationOptions): DestinationDefinition {
  const hasOwnNetwork = ownNetwork.clients.length > 0
  const { schema, secrets } = settingsSchema({ definition, hasOwnNetwork })
  const compile = createSubscriptionCompiler(definition, core)

  /** Settings have been checked before. */
  function subscriptionsOf(settings: JsonObject): readonly CompiledSubscription[] {
    const compiled = compile(settings)
    if (compiled.ok) return compiled.subscriptions
    throw new InvariantError(`Settings of ${type} were not checked: ${compiled.problems[0]?.path}.`)
  }

  const deletion = definition.onDelete && deletionOf(type)
  const batches = Object.values(definition.actions).some(({ performBatch }) => performBatch !== undefined)
  return defineDestination({
    type,
    displayName: definition.name,
    supports: everyType,
    settings: schema,
    secrets,
    checkSettings: (settings) => [
      ...(hasOwnNetwork ? ownNetworkProblems(settings, ownNetwork) : []),
      ...problemsOf(compile(settings)),
    ],
    requests(event, settings) {
      const segmentEvent = toSegmentEvent(event)
      const userId = identifierText(event['userId'])
      const requests: DeliveryRequest[] = []
      const errors: MappingError[] = []
      for (const [subscription, { action, run, isBatch }] of subscriptionsOf(settings as JsonObject).entries()) {
        const payload = run(segmentEvent)
        if (payload === undefined) continue
        if (isMappingError(payload)) errors.push(payload)
        requests.push(toActionRequest(type, contentOf(payload, { action, subscription, isBatch }), userId))
      }
      // The actions of an event are independent: what can be sent is sent.
      return errors[0] && errors.length === requests.length ? errors[0] : requests
    },
    ...(batches ? { batch: actionBatches(type) } : {}),
    action: actionRule({ definition, core, subscriptionsOf }, hasOwnNetwork),
    ...(deletion ? { deletion } : {}),
    limits: limitsOf(ownNetwork),
    get actions() {
      return publicActions(definition, core)
    },
    examples: [],
  })
}

function contentOf(
  payload: JsonObject | MappingError,
  {
    action,
    subscription,
    isBatch,
  }: { readonly action: string; readonly subscription: number; readonly isBatch: boolean },
): ActionContent {
  if (isMappingError(payload)) return { kind: 'refused', action, subscription, refusal: payload.message }
  return isBatch
    ? { kind: 'batch', action, subscription, payloads: [payload] }
    : { kind: 'one', action, subscription, payload }
}

function problemsOf(compiled: ReturnType<ReturnType<typeof createSubscriptionCompiler>>): readonly SettingsProblem[] {
  return compiled.ok ? [] : compiled.problems
}

function ownNetworkProblems({ allowOwnNetwork }: JsonObject, { clients }: OwnNetwork): readonly SettingsProblem[] {
  if (allowOwnNetwork === true) return []
  const allowed = `true, if you trust it: it connects with ${clients.join(', ')}, where checks of addresses, time limits and records do not apply`
  return [{ path: 'allowOwnNetwork', value: allowOwnNetwork, allowed }]
}

function limitsOf({ clients }: OwnNetwork): readonly string[] {
  return clients.length === 0 ? [] : [`It opens connections of its own with ${clients.join(', ')}.`]
}

function actionRule(performer: Parameters<typeof performAction>[0], hasOwnNetwork: boolean): ActionRule {
  const { definition, core } = performer
  const { authentication } = definition
  const account = usesAccount(authentication) ? accountOf(definition, core) : undefined
  return {
    perform: (call) => performAction(performer, call),
    ...(account ? { account } : {}),
    ...(hasOwnNetwork ? { hasOwnNetwork: () => true } : {}),
    ...(authentication?.testAuthentication
      ? {
          async check(call) {
            const data = dataOf(call)
            try {
              await runSegmentCode({ definition, core, call, data }, (request, given) =>
                authentication.testAuthentication?.(request, given),
              )
              return { outcome: 'delivered', status: 200, message: '' }
            } catch (error) {
              call.signal.throwIfAborted()
              return verdictOfError(error, account !== undefined)
            }
          },
        }
      : {}),
  }
}

function accountOf(definition: SegmentDefinition, core: SegmentCore): ActionAccount {
  const { authentication } = definition
  return {
    storedTokens,
    // The code of an action decides what it returns.
    mayRotate: (settings) =>
      authentication?.refreshAccessToken !== undefined && storedTokens(settings)?.['refreshToken'] !== undefined,
    async refresh(call) {
      if (authentication?.refreshAccessToken === undefined) return undefined
      const { oauth } = call.settings
      const stored = Object(oauth) as JsonObject
      const { clientId, clientSecret } = stored
      const data = dataOf({ ...call, tokens: { ...stored, ...call.tokens } })
      const auth = { ...data.auth, clientId, clientSecret }
      const result = await runSegmentCode({ definition, core, call, data: { ...data, auth } }, (request, given) =>
        authentication.refreshAccessToken?.(request, given),
      ).catch(() => undefined)
      const read = readTokens(result)
      // Some products keep the refresh token, and return only an access token.
      return read && { ...read, tokens: { ...pick(data.auth.refreshToken), ...read.tokens } }
    },
  }
}

const pick = (refreshToken: string | undefined): JsonObject => (refreshToken === undefined ? {} : { refreshToken })

/** Segment deletes users one by one. */
function deletionOf(type: string): DeletionRule {
  return {
    usersMax: 1,
    concurrency: 4,
    requests: (users) =>
      users.map((user) => {
        const userId = convert.text(user['userId'] ?? '')
        const anonymousId = identifierText(user['anonymousId'])
        const payload = { userId, ...(anonymousId === '' ? {} : { anonymousId }) }
        return toActionRequest(type, { kind: 'deletion', payload }, userId)
      }),
  }
}
