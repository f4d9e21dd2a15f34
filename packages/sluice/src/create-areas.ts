import type { Clock, Random } from '@sluice/core'
import { checkCredentials, ownedTransport, type Transport } from '@sluice/delivery'
import type { DestinationRegistry } from '@sluice/destinations'
import {
  type Area,
  type BodyBudget,
  createAccessAttempts,
  createBackupArea,
  createChecksArea,
  createConfigurationArea,
  createDeadLettersArea,
  createDefinitionsArea,
  createGovernanceArea,
  createHealthArea,
  createIngestionArea,
  createOpenapiArea,
  createOperationsArea,
  createOperatorGate,
  createRegulationsArea,
  createReplaysArea,
  createTapArea,
  createTokenGate,
  createTransformationsArea,
  createTrialArea,
  type FetchHandler,
  type Health,
  serveRoutes,
} from '@sluice/http'
import { type BudgetUsage, type DeadLetters, type Engine, type Store, type Tap, tryDestination } from '@sluice/pipeline'
import type { Deletions, Regulations, SuppressionIndex } from '@sluice/regulation'
import type { Catalogue } from '@sluice/schema'
import type { TransformationPrograms, Transformations } from '@sluice/transformations'
import type { SluiceOptions } from './sluice-options.ts'

/** Services the areas call. */
export interface AreaParts {
  readonly options: SluiceOptions
  readonly engine: Engine
  readonly store: Store
  readonly tap: Tap
  readonly deadLetters: DeadLetters
  readonly deletions: Deletions
  readonly regulations: Regulations
  readonly index: SuppressionIndex
  readonly catalogue: Catalogue
  readonly transformations: Transformations
  readonly destinations: DestinationRegistry
  readonly programs: TransformationPrograms
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  /** Memory budget of request bodies that are being received. */
  readonly bodies: BodyBudget
  metrics(workspaceIds: readonly string[]): Promise<string>
  usage(workspaceId: string): Promise<readonly BudgetUsage[]>
  isStopping(): boolean
  onError(error: unknown): void
}

/** Time limit of a test. User code and replies have their own, much lower limits. */
const trialTimeMs = 120_000
/** Time limit of a check of credentials: tokens, the check, new tokens and the check again have 10 s each. */
const checkTimeMs = 60_000

/** Creates the HTTP areas, and one handler for all of them. */
export function createAreas(parts: AreaParts) {
  const { options, engine, store, tap, deadLetters, deletions, regulations, index, catalogue, transformations } = parts
  const { destinations, programs, transport, clock, random, bodies, metrics, usage, isStopping, onError } = parts
  const workspaces = () => engine.workspaces
  const { admin, clientIp, corsOrigins } = options
  const attempts = createAccessAttempts({
    clock,
    ...(clientIp ? { clientIp } : {}),
    onWrong: (wrong) => options.logger?.warn({ ...wrong }, 'wrong credentials'),
  })
  const gate = createTokenGate({ workspaces, audit: store.audit, clock, attempts, onError })
  const operatorGate = createOperatorGate({ workspaces, attempts, ...(admin ? { admin } : {}) })
  const { backup } = store
  const health = (): Health => {
    if (isStopping()) return 'stopping'
    if (store.isLost?.()) return 'storeLost'
    if (store.isDamaged?.()) return 'storeDamaged'
    return index.isReady ? 'ok' : 'suppressionUnavailable'
  }
  const isServing = (): boolean => isStopping() || store.cluster?.isServing !== false
  const served = {
    operations: createOperationsArea({ gate: operatorGate, engine, metrics, usage }),
    tap: createTapArea({ gate: operatorGate, tap }),
    ...(admin
      ? { backup: createBackupArea({ admin, attempts, ...(backup ? { backup: () => backup.call(store) } : {}) }) }
      : {}),
    ingestion: createIngestionArea({
      engine,
      bodies,
      ...(corsOrigins ? { corsOrigins } : {}),
      ...(clientIp ? { clientIp } : {}),
    }),
    transformations: createTransformationsArea({ gate, transformations }),
    regulations: createRegulationsArea({ gate, regulations, deletions, counters: store.counters }),
    test: createTrialArea({
      gate,
      destinations,
      tryDestination: (trial) =>
        tryDestination(
          trial,
          { programs, transport, clock, random, ...(options.stages ? { stages: options.stages } : {}) },
          AbortSignal.timeout(trialTimeMs),
        ),
    }),
    checks: createChecksArea({
      gate,
      destinations,
      checkCredentials: ({ id }, { settings }, definition) =>
        checkCredentials({
          definition,
          settings,
          transport: ownedTransport(transport, id),
          clock,
          signal: AbortSignal.timeout(checkTimeMs),
        }),
    }),
    deadLetters: createDeadLettersArea({ gate, deadLetters }),
    replays: createReplaysArea({ gate, engine, deadLetters }),
    configuration: createConfigurationArea({ gate, destinations }),
    definitions: createDefinitionsArea(destinations),
    health: createHealthArea({ health, readiness: () => (isServing() ? health() : 'notServing') }),
    ...(admin
      ? {
          governance: createGovernanceArea({
            catalogue,
            workspaces,
            attempts,
            admin,
            strictCompatibility: options.strictCompatibility ?? false,
          }),
        }
      : {}),
  }
  const openapi = createOpenapiArea(Object.values(served).flatMap(({ routes }) => routes))
  const areas = { ...served, openapi }
  const serve = (parts: readonly Area[]) => serveRoutes(parts, { onError })
  // Where the admin credentials are used.
  const apart = options.governanceApart ? [areas.governance, areas.backup].filter((area) => area !== undefined) : []
  const alone = Object.entries(areas).map(([name, area]) => [name, serve([area])] as const)
  return {
    areas: {
      ...(Object.fromEntries(alone) as { readonly [Name in keyof typeof areas]: FetchHandler }),
      ...(apart.length > 0 ? { governance: serve(apart) } : {}),
    },
    all: serve(Object.values(areas).filter((area) => !apart.includes(area))),
  }
}
