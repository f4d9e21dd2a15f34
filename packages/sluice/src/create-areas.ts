import type { Configuration } from '@sluice/configuration'
import type { Clock, Random } from '@sluice/core'
import { checkCredentials, ownedTransport, type Transport } from '@sluice/delivery'
import type { DestinationRegistry } from '@sluice/destinations'
import {
  type Area,
  type BodyBudget,
  type BrowserSdks,
  createAccessAttempts,
  createAuditArea,
  createBackupArea,
  createCatalogueArea,
  createCertificatesArea,
  createChecksArea,
  createConfigurationArea,
  createDeadLettersArea,
  createDefinitionsArea,
  createGovernanceArea,
  createHealthArea,
  createIngestionArea,
  createJobsArea,
  createLogsArea,
  createOpenapiArea,
  createOpenDsrArea,
  createOperationsArea,
  createOperatorGate,
  createPageSessions,
  createPayloadArea,
  createPlansArea,
  createRegulationsArea,
  createReplaysArea,
  createSearchTurns,
  createServerArea,
  createStudioArea,
  createTapArea,
  createTokenGate,
  createTransformationsArea,
  createTrialArea,
  createUserReportArea,
  createWarehousesArea,
  createWelcomeArea,
  type FetchHandler,
  type Health,
  type HealthWarning,
  serveRoutes,
} from '@sluice/http'
import {
  type BudgetUsage,
  type CodeLog,
  type CountHistory,
  type DeadLetters,
  defaultRetentionOptions,
  type Engine,
  type EventMasks,
  findUsers,
  type ReplayJobs,
  readPayload,
  reportUser,
  type Store,
  type Tap,
  tryDestination,
  type UserSearch,
} from '@sluice/pipeline'
import type { Certificates, Deletions, Regulations, SubjectRequests, SuppressionIndex } from '@sluice/regulation'
import type { Catalogue } from '@sluice/schema'
import type { TransformationPrograms, Transformations } from '@sluice/transformations'
import { sharedColumns } from '@sluice/warehouse'
import { isKept } from './compare-with-ledger.ts'
import type { HeldDeletionsCount } from './held-deletions.ts'
import { installedSdks } from './installed-sdks.ts'
import { queryWarehouse } from './query-warehouse.ts'
import { reportedStores } from './reported-stores.ts'
import type { SluiceOptions } from './sluice-options.ts'

/** Services the areas call. */
interface AreaParts {
  readonly options: SluiceOptions
  readonly engine: Engine
  readonly store: Store
  readonly tap: Tap
  readonly codeLog: CodeLog
  readonly masks: EventMasks
  readonly deadLetters: DeadLetters
  readonly jobs: ReplayJobs
  readonly deletions: Deletions
  readonly heldDeletions: HeldDeletionsCount
  readonly regulations: Regulations
  readonly certificates: Certificates
  readonly subjectRequests: SubjectRequests
  readonly index: SuppressionIndex
  readonly catalogue: Catalogue
  readonly transformations: Transformations
  readonly configuration: Configuration
  readonly destinations: DestinationRegistry
  readonly programs: TransformationPrograms
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  /** Returns the address of the server for others. */
  addressOf(url: string): string
  /** Memory budget of request bodies that are being received. */
  readonly bodies: BodyBudget
  /** Counts of the last hour, where the page is served. */
  readonly history: CountHistory | undefined
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
  const {
    options,
    engine,
    store,
    tap,
    codeLog,
    masks,
    deadLetters,
    jobs,
    deletions,
    heldDeletions,
    regulations,
    certificates,
    subjectRequests,
    index,
    catalogue,
    transformations,
    configuration,
  } = parts
  const { destinations, programs, transport, clock, random, addressOf, bodies, history, metrics, usage } = parts
  const { isStopping, onError } = parts
  const workspaces = () => engine.workspaces
  const { admin, clientIp, corsOrigins } = options
  const attempts = createAccessAttempts({
    clock,
    ...(clientIp ? { clientIp } : {}),
    onWrong: (wrong) => options.logger?.warn({ ...wrong }, 'wrong credentials'),
  })
  const sessions = options.studio && createPageSessions({ clock, store: store.sessions })
  const signedIn = sessions ? { sessions } : {}
  const gate = createTokenGate({ workspaces, audit: store.audit, clock, attempts, ...signedIn, onError })
  const operatorGate = createOperatorGate({ workspaces, attempts, ...signedIn, ...(admin ? { admin } : {}) })
  const { backup } = store
  const health = (): Health => {
    if (isStopping()) return 'stopping'
    if (store.isLost?.()) return 'storeLost'
    if (store.isDamaged?.()) return 'storeDamaged'
    if (store.isUnwritable?.()) return 'storeUnwritable'
    return index.isReady ? 'ok' : 'suppressionUnavailable'
  }
  const find = (workspaceId: string, search: UserSearch) => findUsers(workspaceId, search, store, { clock, engine })
  const searches = createSearchTurns()
  const isServing = (): boolean => isStopping() || store.cluster?.isServing !== false
  const served = {
    operations: createOperationsArea({ gate: operatorGate, engine, metrics, usage, ...(history ? { history } : {}) }),
    payloads: createPayloadArea({
      gate,
      searches,
      readPayload: (workspaceId, messageId, isMasked) =>
        readPayload({ workspaceId, messageId, isMasked }, { store, engine, masks, clock }),
    }),
    audit: createAuditArea({ gate, audit: store.audit }),
    server: createServerArea({
      gate,
      server: {
        startedAt: clock.now(),
        storeKind: store.kind,
        ledger: options.ledger?.place.name,
        retention: { ...defaultRetentionOptions, ...options.retention },
        receiptsMax: options.receipts === 'off' ? 0 : store.receipts.receiptsMax,
        now: () => clock.now(),
        logUsage: (workspaceId) => store.log.usage(workspaceId),
        cluster: () => {
          if (store.cluster === undefined) return undefined
          const { isLeader, measures, newerRoutes } = store.cluster
          const { nodes, lanes, otherDefinitions } = measures
          return { nodes, lanes, isLeader, otherDefinitions, hasOlderDefinition: newerRoutes !== undefined }
        },
      },
    }),
    tap: createTapArea({ gate: operatorGate, tap }),
    logs: createLogsArea({ gate: operatorGate, codeLog }),
    ...(admin
      ? { backup: createBackupArea({ admin, attempts, ...(backup ? { backup: () => backup.call(store) } : {}) }) }
      : {}),
    ingestion: createIngestionArea({
      engine,
      bodies,
      clock,
      random,
      browserSdks: sdksOf(options.browserSdks),
      ...(corsOrigins ? { corsOrigins } : {}),
      ...(clientIp ? { clientIp } : {}),
    }),
    transformations: createTransformationsArea({ gate, transformations }),
    regulations: createRegulationsArea({
      gate,
      regulations,
      deletions,
      counters: store.counters,
      clock,
      findUsers: (workspaceId, search) => findUsers(workspaceId, search, store, { clock, engine }, 'any'),
    }),
    certificates: createCertificatesArea({ gate, certificates }),
    opendsr: createOpenDsrArea({
      gate,
      requests: subjectRequests,
      clock,
      addressOf,
    }),
    userReports: createUserReportArea({
      gate,
      searches,
      reportUser: (workspaceId, userId) =>
        reportUser({ workspaceId, userId }, reportedStores(store, regulations), { clock, engine }),
      findUsers: find,
    }),
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
    catalogue: createCatalogueArea({ gate, catalogue, counters: store.counters, sharedColumns }),
    deadLetters: createDeadLettersArea({ gate, deadLetters }),
    jobs: createJobsArea({ gate, jobs }),
    replays: createReplaysArea({ gate, engine, deadLetters }),
    warehouses: createWarehousesArea({
      gate,
      engine,
      query: (workspaceId, destinationId, sql, rowsMax) => {
        const workspace = engine.workspaces.find(({ id }) => id === workspaceId)
        return queryWarehouse(workspace, destinationId, sql, rowsMax)
      },
    }),
    configuration: createConfigurationArea({ gate, configuration, transformations, addressOf }),
    plans: createPlansArea({ gate, configuration }),
    definitions: createDefinitionsArea(destinations),
    ...(options.studio && sessions
      ? { studio: createStudioArea({ workspaces, attempts, sessions, files: options.studio }) }
      : {}),
    health: createHealthArea({
      health,
      warnings: () => {
        const { forKey, forIds } = heldDeletions.held
        return [
          ...(options.ledger === undefined && isKept(store) ? (['noLedger'] as const) : []),
          ...(forKey > 0 ? (['ledgerKeyNeeded'] as const) : []),
          ...(forIds > 0 ? (['deletionIdsNeeded'] as const) : []),
          ...(store.isSetBack?.() ? (['lostCommits'] as const) : []),
          ...definitionWarnings(store.cluster),
        ]
      },
      hasUnconfirmedLoss: () => store.cluster?.hasUnconfirmedLoss === true,
      readiness: () => (isServing() ? health() : 'notServing'),
    }),
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
  const serve = (parts: readonly Area[]) => serveRoutes(parts, { onError })
  // Where the admin credentials are used.
  const apart: readonly Area[] = options.governanceApart
    ? [served.governance, served.backup].filter((area) => area !== undefined)
    : []
  const together = Object.values(served).filter((area) => !apart.includes(area))
  const areas = { ...served, ...portAreas(together, served.studio !== undefined) }
  const alone = Object.entries(areas).map(([name, area]) => [name, serve([area])] as const)
  return {
    areas: {
      ...(Object.fromEntries(alone) as { readonly [Name in keyof typeof areas]: FetchHandler }),
      ...(apart.length > 0 ? { governance: serve([...apart, ...Object.values(portAreas(apart, false))]) } : {}),
    },
    issueStudioCode: sessions?.issueCode,
    all: serve([...together, areas.welcome, areas.openapi]),
  }
}

/** Returns what operators should know of the definitions that the processes of a cluster have. */
function definitionWarnings(cluster: Store['cluster']): readonly HealthWarning[] {
  if (cluster?.newerRoutes) return ['olderDefinition']
  return cluster && cluster.measures.otherDefinitions > 0 ? ['otherDefinitions'] : []
}

function sdksOf(given: SluiceOptions['browserSdks']): BrowserSdks {
  return given === undefined || !('segment' in given) ? installedSdks(given) : given
}

/** What every port has: a welcome, and the document of what this port serves. */
function portAreas(areas: readonly Area[], hasStudio: boolean) {
  const welcome = createWelcomeArea({ hasStudio })
  return { welcome, openapi: createOpenapiArea([...areas, welcome].flatMap(({ routes }) => routes)) }
}
