import type {
  Clock,
  Connection,
  Destination,
  JsonObject,
  Random,
  Source,
  SourcedEvent,
  Stage,
  Transformation,
  Workspace,
} from '@sluice/core'
import type { CircuitBreaker, Deferring, DeliveredWatch, Transport } from '@sluice/delivery'
import { createCircuitBreaker, createSend, ownedTransport } from '@sluice/delivery/flow'
import {
  createDestinationTransformStage,
  createPermissionStage,
  type DestinationDefinition,
  type DestinationRegistry,
} from '@sluice/destinations/kit'
import type { SuppressStage } from '@sluice/regulation'
import { createUserTransformStage, type TransformationPrograms } from '@sluice/transformations'
import type { Telemetry } from '../ports/telemetry.ts'
import type { DeliveryOptions } from './delivery-options.ts'
import { type DestinationPath, type SourcedRequest, type StageWrapper, withWrappedStages } from './destination-path.ts'
import { MainTurns } from './main-turns.ts'
import { OutputBudget } from './output-budget.ts'
import { closedPath } from './stages/closed-path.ts'
import { measuredSend, measuredStage } from './stages/measured-stage.ts'
import { type AnswerWatch, measuredTransport } from './stages/measured-transport.ts'
import { type StageOptions, stagesOfDestination } from './stages/own-stages.ts'
import { createSuppressionRecheck } from './stages/suppression-recheck.ts'
import { TryLog } from './try-log.ts'

/** Where user code ran. */
export interface CodeLogPlace {
  readonly workspaceId: string
  readonly destinationId: string
  readonly transformation: Pick<Transformation, 'id' | 'name' | 'versionId'>
}

/** What the paths of all destinations are built from. */
export interface PathParts {
  readonly suppress: SuppressStage
  readonly destinations: DestinationRegistry
  readonly programs: TransformationPrograms
  readonly transport: Transport
  /** What differs from the defaults of `createSend`. */
  readonly delivery?: DeliveryOptions
  /** Stages of the embedding program. */
  readonly stages?: StageOptions
  readonly clock: Clock
  readonly random: Random
  /** Postpones events that cannot be delivered yet. Left out, they fail. */
  deferring?(workspaceId: string, destinationId: string): Deferring
  /** Returns what sees the requests that a destination accepted. */
  watchDelivered?(workspaceId: string, destinationId: string): DeliveredWatch<SourcedRequest> | undefined
  /** Returns what sees how a destination answers. */
  watchAnswers?(workspaceId: string, destinationId: string): AnswerWatch
  /** Turns on this thread, shared by all workspaces. Left out, a path has turns of its own. */
  readonly turns?: MainTurns
  /** Memory for outputs of user code, shared by all workspaces. Left out, a path has a budget of its own. */
  readonly outputs?: OutputBudget
  readonly telemetry?: Telemetry
  /** Called with the lines that user code logged in one batch. They may contain values of events. */
  onCodeLog?(place: CodeLogPlace, lines: readonly string[]): void
  /** Called when a destination is left alone because it fails, and when it accepts requests again. */
  onCircuit?(circuit: { readonly workspaceId: string; readonly destinationId: string; readonly isOpen: boolean }): void
  /** Called with failures from which the pipeline recovers. */
  onError?(error: unknown): void
}

/** What the paths of one workspace share. */
export interface SharedOfPaths {
  /** Connections that have settings, by destination. */
  readonly connections: ReadonlyMap<string, readonly Connection[]>
  /** Undefined: no source has a tracking plan. */
  readonly trackingPlan: Stage<SourcedEvent> | undefined
}

/** Returns the connections of a workspace that have settings, by destination. */
export function connectionsWithSettings({ connections }: Workspace): ReadonlyMap<string, readonly Connection[]> {
  const byDestination = new Map<string, Connection[]>()
  for (const connection of connections) {
    if (connection.settings === undefined) continue
    const ofOne = byDestination.get(connection.destinationId)
    if (ofOne) ofOne.push(connection)
    else byDestination.set(connection.destinationId, [connection])
  }
  return byDestination
}

/**
 * Builds the path of a destination. Its user code is compiled here, so that code that does not load is refused before
 * any event reaches it. @returns what is wrong, as text, when it cannot be built.
 */
export async function buildPath(
  workspace: Workspace,
  destination: Destination,
  parts: PathParts,
  { connections, trackingPlan }: SharedOfPaths,
): Promise<DestinationPath | string> {
  const { id: destinationId, settings, transformation } = destination
  const definition = parts.destinations.get(destination.type)
  if (definition === undefined) {
    const known = parts.destinations.list().map(({ type }) => type)
    return `destination ${destinationId} has the unknown type ${destination.type}; known types: ${known.join(', ')}`
  }
  if (transformation !== undefined) {
    const compiled = await parts.programs.program(transformation, workspace.id)
    if (!compiled.ok)
      return `destination ${destinationId}: transformation ${transformation.name} cannot be loaded: ${compiled.error.message}`
  }
  if (!destination.enabled) return closedPath(destinationId, 'destination is disabled')

  const { turns = new MainTurns(), clock } = parts
  const outputs = transformation && (parts.outputs ?? new OutputBudget()).share(workspace.id)
  const onOutput = outputs && ((bytes: number) => outputs.made(bytes))
  const stages = stagesBeforeDelivery({
    workspace,
    destination,
    definition,
    settings,
    connections: connections.get(destinationId) ?? [],
    parts,
    trackingPlan,
    onOutput,
  })
  const { telemetry } = parts
  const place = { workspaceId: workspace.id, destinationId }
  const measured: StageWrapper = (stage) => (telemetry ? measuredStage(stage, place, telemetry) : stage)
  const path = withWrappedStages({ destinationId, ...stages }, measured)
  const circuit = createCircuitBreaker({
    clock,
    ...parts.delivery?.circuit,
    onChange: (isOpen) => parts.onCircuit?.({ workspaceId: workspace.id, destinationId, isOpen }),
  })
  const tries = new TryLog()
  const send = sendTo(workspace.id, { destinationId, definition, settings, circuit, tries }, { ...parts, clock, turns })
  return {
    ...path,
    map: turns.stage(workspace.id, path.map),
    send: telemetry ? measuredSend(send, place, telemetry) : send,
    tries,
    loader: definition.load?.open(settings, { workspaceId: workspace.id, destinationId, now: () => clock.now() }),
    versionId: transformation?.versionId,
    outputs,
    pausedAt: destination.pausedAt,
    pausedBecause: destination.pausedBecause,
    circuit,
  }
}

/** A destination, with the settings that apply. */
interface StagePlace {
  readonly workspace: Workspace
  readonly destination: Destination
  readonly definition: DestinationDefinition
  /** Complete: those of the destination or, in a trial, others. */
  readonly settings: JsonObject
  /** Those of the destination that have settings. */
  readonly connections: readonly Connection[]
  /** Those of the destination, where `settings` are others. */
  readonly stored?: JsonObject
  readonly parts: Pick<PathParts, 'programs' | 'stages' | 'clock' | 'onCodeLog'>
  /** Left out, none applies. */
  readonly trackingPlan?: Stage<SourcedEvent>
  /** Whether user code runs. Default true. */
  readonly runsCode?: boolean
  /** Called with the bytes of what user code made of a batch. */
  onOutput?(bytes: number): void
}

/**
 * Returns the stages of a destination before delivery, in the order in which events pass them. Trials use these too. The
 * permission stage drops what the sender or the user of an event does not want at this destination, before anything sees
 * it.
 */
export function stagesBeforeDelivery({
  workspace,
  destination,
  definition,
  settings,
  connections,
  stored,
  parts,
  trackingPlan,
  runsCode = true,
  onOutput,
}: StagePlace): Pick<DestinationPath, 'before' | 'map'> {
  const userTransform = runsCode ? userTransformStage(workspace, destination, parts, onOutput) : undefined
  const place = { workspaceId: workspace.id, destination: { ...destination, settings } }
  const own = stagesOfDestination(parts.stages, place)
  return {
    before: [
      createPermissionStage(definition, settings, workspace.sources),
      ...(trackingPlan ? [trackingPlan] : []),
      ...own,
      ...(userTransform ? [userTransform] : []),
    ],
    map: createDestinationTransformStage({
      definition,
      settings,
      destination,
      connections,
      sources: workspace.sources,
      clock: parts.clock,
      stored,
    }),
  }
}

function sendTo(
  workspaceId: string,
  place: {
    readonly destinationId: string
    readonly definition: DestinationDefinition
    readonly settings: JsonObject
    readonly circuit: CircuitBreaker
    readonly tries: TryLog
  },
  { turns, clock, ...parts }: PathParts & { readonly turns: MainTurns },
): DestinationPath['send'] {
  const { destinationId, definition, settings, circuit: breaker, tries } = place
  const { circuit: _, ...sending } = parts.delivery ?? {}
  const owned = ownedTransport(parts.transport, workspaceId)
  const watchAnswers = parts.watchAnswers?.(workspaceId, destinationId)
  return createSend<SourcedRequest>({
    transport: watchAnswers ? measuredTransport(owned, clock, watchAnswers) : owned,
    clock,
    random: parts.random,
    ...sending,
    breaker,
    destination: { definition, settings },
    awaitTurn: () => turns.forRequest(workspaceId),
    ...createSuppressionRecheck({ ...parts, clock }),
    deferring: parts.deferring ? parts.deferring(workspaceId, destinationId) : undefined,
    watch: parts.watchDelivered?.(workspaceId, destinationId),
    watchTries: tries.watch,
  })
}

function userTransformStage(
  workspace: Workspace,
  destination: Destination,
  parts: Pick<PathParts, 'programs' | 'onCodeLog'>,
  onOutput?: (bytes: number) => void,
): Stage<SourcedEvent> | undefined {
  const { transformation } = destination
  if (transformation === undefined) return undefined
  return createUserTransformStage({
    programs: parts.programs,
    transformation,
    metadataOf: metadataFor(workspace, destination),
    credentials: workspace.credentials,
    onOutput,
    onLog: parts.onCodeLog
      ? (lines) =>
          parts.onCodeLog?.({ workspaceId: workspace.id, destinationId: destination.id, transformation }, lines)
      : undefined,
  })
}

function metadataFor(workspace: Workspace, destination: Destination) {
  const sourceNames = namesOf(workspace.sources)
  return ({ sourceId }: SourcedEvent) => ({
    sourceName: sourceNames.get(sourceId),
    destinationId: destination.id,
    destinationType: destination.type,
    destinationName: destination.name,
  })
}

/** The destinations of a workspace share one map: there may be many of both. */
const namesBySources = new WeakMap<readonly Source[], ReadonlyMap<string, string>>()

function namesOf(sources: readonly Source[]): ReadonlyMap<string, string> {
  const names = namesBySources.get(sources) ?? new Map(sources.map(({ id, name }) => [id, name]))
  namesBySources.set(sources, names)
  return names
}
