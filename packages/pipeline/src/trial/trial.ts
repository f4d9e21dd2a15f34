import {
  type Destination,
  type Event,
  type JsonObject,
  SandboxBusyError,
  type SourcedEvent,
  type Stage,
  type Workspace,
} from '@sluice/core'
import { deliverStageName, ownedTransport } from '@sluice/delivery'
import type { DeliveryRequest, DestinationDefinition, MappedEvent } from '@sluice/destinations'
import type { FlowParts } from '../flow/build-flow.ts'
import { connectionsWithSettings, stagesBeforeDelivery } from '../flow/build-path.ts'
import { type DestinationPath, withWrappedStages } from '../flow/destination-path.ts'
import type { RunWatch } from '../flow/destination-run.ts'
import { resultsAt } from '../flow/flow.ts'
import type { Ending, Tracked } from '../flow/run-stage.ts'
import { leftOutSend, leftOutStage } from '../flow/stages/left-out-stage.ts'
import { wrapStage } from '../flow/stages/wrap-stage.ts'
import { answeringStage } from './answering-stage.ts'
import { type ActionPreview, previewActions } from './preview-actions.ts'
import type { TrialReply } from './trial-reply.ts'
import { createTrialSending, settingsForSending, type TrialError } from './trial-sending.ts'

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
  /** Those of the destination, where `settings` are others: their secrets are sent only where these lead. */
  readonly stored?: JsonObject
  /** The source the event is said to come from; '' for none. */
  readonly sourceId: string
  readonly message: Event
  readonly stages: TrialStages
}

/** What each stage made of the event; absent for a stage that did not run. */
export interface TrialResult {
  readonly transformed?: Event | TrialError
  readonly requests?: readonly DeliveryRequest[] | TrialError
  readonly replies?: readonly TrialReply[] | TrialError
  /** What the ACTION requests would send, when the call does not send. */
  readonly previews?: readonly ActionPreview[]
  /** Set when actions got no stored secrets, because the settings of the call differ from the stored ones. */
  readonly withoutSecrets?: true
}

/** What the stages of a trial are built with. */
type TrialParts = Pick<FlowParts, 'programs' | 'stages' | 'transport' | 'clock' | 'random'>

const noOutcome = { stage: deliverStageName, outcome: { kind: 'drop', reason: 'no outcome' } } as const
const noTransformation: TrialError = { error: 'Transformation VersionID not found' }
const abortedByTransformation: TrialError = { error: 'error encountered in user_transformation stage. Aborting.' }
const abortedByMapping: TrialError = { error: 'error encountered in dest_transformation stage. Aborting.' }

/**
 * Takes one event through the stages of one destination as production does, and returns what each made of it: one result
 * per output of the user transformation. Nothing is suppressed, logged, observed or counted, no tracking plan applies,
 * and each request is sent once. Without a transformation the event is mapped unchanged.
 *
 * Source: packages/docs/api/test.md#stages.
 * @throws SandboxBusyError when user code has no room, which is not the event's fault.
 */
export async function tryDestination(
  trial: Trial,
  parts: TrialParts,
  signal: AbortSignal,
): Promise<readonly TrialResult[]> {
  const { workspace, destination, message, sourceId, stages } = trial
  const item: SourcedEvent = { workspaceId: workspace.id, sourceId, writeKey: '', event: message }
  const owned = { ...parts, transport: ownedTransport(parts.transport, workspace.id) }
  const sending = createTrialSending(trial, owned)
  const watch = new TrialWatch()
  const path = withWrappedStages(trialPath(trial, owned, sending.send), (stage) => watch.watched(stage))
  const [result] = await resultsAt(path, [{ origin: 0, item }], signal, watch)
  if (watch.noRoom) throw watch.noRoom
  const hasCode = destination.transformation !== undefined
  const shown = (transformed: Event | TrialError): TrialResult =>
    stages.userTransform ? { transformed: hasCode ? transformed : noTransformation } : {}
  if (watch.outputs.length === 0) {
    const error = { error: reasonOf(result?.ending ? { stage: result.stage, outcome: result.ending } : noOutcome) }
    return [
      { ...shown(error), ...notMapped(stages, stages.userTransform && hasCode ? abortedByTransformation : error) },
    ]
  }
  const { definition, settings, stored = settings } = trial
  const used = definition.action ? settingsForSending(definition, { chosen: settings, stored }) : settings
  const results = watch.outputs.map(async ({ event }, output): Promise<TrialResult> => {
    const { requests, place, ending } = watch.mappings.get(output) ?? {}
    if (requests === undefined)
      return { ...shown(event), ...notMapped(stages, { error: reasonOf(ending ?? noOutcome) }) }
    const replies = sending.replies[place ?? -1] ?? (ending ? { error: reasonOf(ending) } : [])
    if (definition.action === undefined) return { ...shown(event), requests, ...(stages.send ? { replies } : {}) }
    const previewed = stages.send
      ? { replies }
      : { previews: await previewActions(requests, event, { definition, settings: used, clock: parts.clock }, signal) }
    return { ...shown(event), requests, ...previewed, ...(used === settings ? {} : { withoutSecrets: true }) }
  })
  return Promise.all(results)
}

/** The path of the destination; stages that the call leaves out end every event. */
function trialPath(trial: Trial, parts: TrialParts, send: DestinationPath['send']): DestinationPath {
  const { workspace, destination, stages } = trial
  const connections = connectionsWithSettings(workspace).get(destination.id) ?? []
  const { before, map } = stagesBeforeDelivery({ ...trial, connections, parts, runsCode: stages.userTransform })
  const answering = answeringStage(map, trial, stages.send, parts)
  return {
    destinationId: destination.id,
    before,
    map: stages.destinationTransform ? answering : leftOutStage(map.name),
    send: stages.send ? send : leftOutSend,
  }
}

type OutputEnding = Pick<Ending, 'stage' | 'outcome'>

/** Sees the outputs of the event, and what the destination transform and delivery made of each. */
class TrialWatch implements RunWatch {
  readonly outputs: SourcedEvent[] = []
  /** By index of the output. `place`: its rank among the outputs that were mapped. */
  readonly mappings = new Map<
    number,
    { readonly requests?: readonly DeliveryRequest[]; readonly place?: number; readonly ending?: OutputEnding }
  >()
  #mapped = 0
  noRoom: SandboxBusyError | undefined

  /** The same stage; that the sandbox has no room is noted, since the path treats it as a broken stage. */
  watched<In, Out>(stage: Stage<In, Out>): Stage<In, Out> {
    return wrapStage(stage, (batch, signal) =>
      stage.run(batch, signal).catch((error) => {
        if (error instanceof SandboxBusyError) this.noRoom = error
        throw error
      }),
    )
  }

  onOutputs(outputs: readonly Tracked<SourcedEvent>[]): void {
    for (const { item } of outputs) this.outputs.push(item)
  }

  onMapped(output: number, { requests }: MappedEvent): void {
    this.mappings.set(output, { requests, place: this.#mapped })
    this.#mapped += 1
  }

  onOutputEnded(output: number, ending: OutputEnding): void {
    this.mappings.set(output, { ...this.mappings.get(output), ending })
  }
}

/** What a result says of the mapping and of sending when the event did not get there. */
function notMapped({ destinationTransform, send }: TrialStages, error: TrialError): TrialResult {
  if (!destinationTransform) return {}
  return { requests: error, replies: send ? abortedByMapping : undefined }
}

/** The first line: the others name places in the user's code, which a log shows. */
function reasonOf({ stage, outcome }: OutputEnding): string {
  if (outcome.kind === 'drop') return `the event was dropped in stage ${stage}: ${outcome.reason}`
  return outcome.error.message.split('\n', 1)[0] ?? ''
}
