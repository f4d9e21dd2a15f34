import type { Destination, Event, JsonObject, JsonValue, Outcome, SourcedEvent, Stage, Workspace } from '@sluice/core'
import {
  createDeliverStage,
  type DeliverOptions,
  ownedTransport,
  type Transport,
  type TransportResult,
} from '@sluice/delivery'
import {
  type ChosenSettings,
  createDestinationTransformStage,
  createPermissionStage,
  type DeliveryRequest,
  type DestinationDefinition,
  type MappedEvent,
  originOf,
  withoutStoredSecrets,
} from '@sluice/destinations'
import { type FlowParts, userTransformStage } from '../flow/build-flow.ts'
import { trialReply } from './trial-reply.ts'

/** Which stages run. Sending needs the requests that the destination transform makes, and is skipped without it. */
export interface TrialStages {
  readonly userTransform: boolean
  readonly destinationTransform: boolean
  readonly send: boolean
}

export interface Trial {
  readonly workspace: Workspace
  readonly destination: Destination
  readonly definition: DestinationDefinition
  /** Complete: those of the destination, or others for this call. */
  readonly settings: JsonObject
  /** Those of the destination, where `settings` are others: only where these lead do their secrets go. */
  readonly stored?: JsonObject
  /** Where the event is said to come from; '' for nowhere. */
  readonly sourceId: string
  readonly message: Event
  readonly stages: TrialStages
}

export interface TrialError {
  readonly error: string
}

export interface TrialReply {
  readonly body: JsonValue
  readonly status: number
}

/** What each stage made of the event; absent for a stage that did not run. */
export interface TrialResult {
  readonly transformed?: Event | TrialError
  readonly requests?: readonly DeliveryRequest[] | TrialError
  readonly replies?: readonly TrialReply[] | TrialError
}

const noTransformation = 'Transformation VersionID not found'
const abortedByTransformation = 'error encountered in user_transformation stage. Aborting.'
const abortedByMapping = 'error encountered in dest_transformation stage. Aborting.'

/**
 * Takes one event through the stages of one destination, as production would, and tells what each made of it: one
 * result
 * per output of the user transformation. Nothing is suppressed, logged, observed or counted, and nothing is sent twice.
 * Without a transformation the event goes on as it is.
 *
 * Sources: packages/docs/api/test.md#stages.
 */
export async function tryDestination(
  trial: Trial,
  parts: Pick<FlowParts, 'programs' | 'transport' | 'clock' | 'random'>,
  signal: AbortSignal,
): Promise<readonly TrialResult[]> {
  const { workspace, destination, definition, settings, stages, message, sourceId } = trial
  const item: SourcedEvent = { workspaceId: workspace.id, sourceId, writeKey: '', event: message }
  const stage = stages.userTransform ? userTransformStage(workspace, destination, parts) : undefined
  if (stage === undefined) {
    const shown = stages.userTransform ? { transformed: { error: noTransformation } } : {}
    return [{ ...shown, ...(await tryMapping(trial, item, parts, signal)) }]
  }
  // As in production: what sender or user do not want there, user code does not see.
  const permitted = await outcomeOf(createPermissionStage(definition, settings), item, signal)
  const outcome = permitted.kind === 'pass' ? await outcomeOf(stage, item, signal) : permitted
  if (outcome.kind !== 'pass') return [{ transformed: { error: reasonOf(outcome) }, ...aborted(stages) }]
  return Promise.all(
    outcome.items.map(async (output) => ({
      transformed: output.event,
      ...(await tryMapping(trial, output, parts, signal)),
    })),
  )
}

function aborted({ destinationTransform, send }: TrialStages): TrialResult {
  if (!destinationTransform) return {}
  return {
    requests: { error: abortedByTransformation },
    ...(send ? { replies: { error: abortedByMapping } } : {}),
  }
}

async function tryMapping(
  { workspace, definition, settings, stored = settings, destination, stages }: Trial,
  item: SourcedEvent,
  parts: Pick<FlowParts, 'transport' | 'clock' | 'random'>,
  signal: AbortSignal,
): Promise<TrialResult> {
  if (!stages.destinationTransform) return {}
  const stage = createDestinationTransformStage({ definition, settings, stored, destination, clock: parts.clock })
  const outcome = await outcomeOf(stage, item, signal)
  if (outcome.kind !== 'pass')
    return {
      requests: { error: reasonOf(outcome) },
      ...(stages.send ? { replies: { error: abortedByMapping } } : {}),
    }
  const requests = outcome.items.flatMap((item) => item.requests)
  if (!stages.send) return { requests }
  const { batch: _, respond: __, ...alone } = definition
  const ofAccount = settingsOfAccount(definition, { chosen: settings, stored })
  const transport = ownedTransport(parts.transport, workspace.id)
  const destinationOfCall = { definition: alone, settings: ofAccount }
  const replies = await sendEach(outcome.items, destinationOfCall, { ...parts, transport }, signal)
  return { requests, replies }
}

/** Asks for tokens without the stored secrets where the settings of the call name another place to ask. */
function settingsOfAccount({ account, secrets }: DestinationDefinition, settings: ChosenSettings): JsonObject {
  const { chosen, stored } = settings
  if (!account || originOf(account.tokenRequest(chosen)) === originOf(account.tokenRequest(stored))) return chosen
  return withoutStoredSecrets(secrets, settings)
}

/**
 * Sends one request after the other, each once, or once more where other tokens are needed: then the last reply
 * counts.
 */
async function sendEach(
  items: readonly MappedEvent[],
  destination: NonNullable<DeliverOptions['destination']>,
  { transport, clock, random }: Pick<FlowParts, 'transport' | 'clock' | 'random'>,
  signal: AbortSignal,
): Promise<readonly TrialReply[] | TrialError> {
  // By the body, one object for each request: opening an account changes other parts.
  const told = items.map((item) => ({ ...item, requests: item.requests.map(withOwnBody) }))
  const results = new Map<DeliveryRequest['body'], TransportResult>()
  const listening: Transport = {
    send: async (request, options) => {
      const result = await transport.send(request, options)
      results.set(request.body, result)
      return result
    },
  }
  const retry = { attemptsMax: 1, baseMs: 1, capMs: 1 }
  const deliver = createDeliverStage({
    transport: listening,
    lookupTransport: transport,
    clock,
    random,
    retry,
    concurrency: 1,
    destination,
  })
  const [outcome] = await deliver.run(told, signal)
  // Nothing was sent when the account gave no tokens.
  if (results.size === 0 && outcome?.kind === 'fail') return { error: reasonOf(outcome) }
  return [...results.values()].map(trialReply)
}

/** A definition may put one body into several requests. */
function withOwnBody(request: DeliveryRequest): DeliveryRequest {
  return { ...request, body: { ...request.body } }
}

async function outcomeOf<Out>(
  stage: Stage<SourcedEvent, Out>,
  item: SourcedEvent,
  signal: AbortSignal,
): Promise<Outcome<Out>> {
  const [outcome = { kind: 'drop', reason: 'no outcome' } as const] = await stage.run([item], signal)
  return outcome
}

/** The first line: what follows are the places in the user's code, which a log shows. */
function reasonOf(outcome: Exclude<Outcome<unknown>, { readonly kind: 'pass' }>): string {
  if (outcome.kind === 'drop') return `the event was dropped: ${outcome.reason}`
  return outcome.error.message.split('\n', 1)[0] ?? ''
}
