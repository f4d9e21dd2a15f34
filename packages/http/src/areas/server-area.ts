import type { ClusterProcess, ClusterProcesses, LogUsage, ProcessVitals, RetentionOptions } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../gate/access/token-gate.ts'
import { answer } from '../gate/answer.ts'
import { type Area, createArea } from '../routing/area.ts'
import { productVersion } from '../routing/product-version.ts'

export interface ServerAreaOptions {
  readonly gate: TokenGate
  readonly server: ServerFacts
}

/** What the process reports about itself. */
export interface ServerFacts {
  /** When it started, in milliseconds since the epoch. */
  readonly startedAt: number
  /** What the store is called; undefined when it has no name. */
  readonly storeKind: string | undefined
  /** Where regulations are kept a second time, as operators call it; undefined for nowhere. */
  readonly ledger: string | undefined
  readonly retention: RetentionOptions
  readonly receiptsMax: number
  now(): number
  logUsage(workspaceId: string): Promise<LogUsage>
  /** Returns the processes that share the store; undefined where one has it for itself. */
  readonly processes: (() => Promise<ClusterProcesses>) | undefined
  /** Returns what this process takes and does. */
  vitals(): ProcessVitals
  /** Returns bounds of times that this process has measured since it started; undefined where there was none. */
  workTimes(workspaceId: string): {
    /** Storing what became of events. */
    readonly commits: TimeBounds | undefined
    /** Until a change was in force in every process. */
    readonly changes: TimeBounds | undefined
  }
  /** Figures of those processes; undefined when there is one. */
  cluster():
    | {
        readonly nodes: number
        readonly lanes: number
        readonly isLeader: boolean
        readonly otherDefinitions: number
        readonly hasOlderDefinition: boolean
      }
    | undefined
}

interface TimeBounds {
  readonly halfWithinMs?: number
  readonly almostAllWithinMs?: number
  readonly count: number
}

const closed = { additionalProperties: false }
const withinMs = (description: string) => Type.Optional(Type.Number({ description }))
const timesSchema = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        halfWithinMs: withinMs('Half took at most that, in milliseconds. Left out when it is beyond the last bucket.'),
        almostAllWithinMs: withinMs('The same of 99 of 100.'),
        count: Type.Integer(),
      },
      { ...closed, description },
    ),
  )
const serverSchema = Type.Object(
  {
    version: Type.String(),
    startedAt: Type.String({ format: 'date-time', description: 'Start of the process that answers.' }),
    uptimeSeconds: Type.Integer(),
    store: Type.Object(
      {
        kind: Type.Optional(Type.String({ description: '`memory`, `SQLite`, `PostgreSQL`, or the name of another.' })),
        logBytes: Type.Integer({ description: 'Size of the event log of this workspace, as JSON text.' }),
        budgetBytes: Type.Optional(
          Type.Integer({ description: 'What the logs of all workspaces may take; beyond it, events are refused.' }),
        ),
        reservedBytes: Type.Optional(Type.Integer({ description: 'The part kept for this workspace.' })),
      },
      closed,
    ),
    ledger: Type.Optional(
      Type.String({
        description:
          'Where regulations are kept a second time, apart from the store. Without it, a store that is restored from a backup forgets later regulations.',
      }),
    ),
    retention: Type.Object(
      {
        ageMs: Type.Integer({ description: 'For how long events stay in the log once all destinations have them.' }),
        bytesMax: Type.Integer({ description: 'And how much of them, for each workspace.' }),
        receiptsMax: Type.Integer({ description: 'Receipts of all workspaces together.' }),
      },
      closed,
    ),
    commits: timesSchema('Times of storing what became of events of this workspace, by this process since it started.'),
    changes: timesSchema(
      'Times until changes that this process made were in force in every process; only in a cluster.',
    ),
    cluster: Type.Optional(
      Type.Object(
        {
          nodes: Type.Integer({ description: 'Living processes that share the store.' }),
          lanes: Type.Integer({ description: 'Lanes of the log that this process holds.' }),
          isLeader: Type.Boolean({ description: 'Whether this process does what only one may do at a time.' }),
          otherDefinitions: Type.Integer({
            description: 'Processes with another definition of workspaces than this one.',
          }),
          hasOlderDefinition: Type.Boolean({
            description:
              'Whether another process has a newer workspace file than this one; new events go where that one says.',
          }),
        },
        closed,
      ),
    ),
  },
  closed,
)

const clusterSchema = Type.Object(
  {
    processes: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: '`this` where one process has the store for itself.' }),
          isThis: Type.Boolean({ description: 'Whether it is the process that answers.' }),
          state: Type.Enum(['serving', 'starting', 'draining', 'silent']),
          beatAgeMs: Type.Integer({
            description: 'Milliseconds since its last beat; of a silent one, for how long it was watched.',
          }),
          lanes: Type.Array(Type.Integer(), { description: 'Numbers of the lanes of the log that it holds.' }),
          vitals: Type.Optional(
            Type.Object(
              {
                cpuShare: Type.Number({ description: 'Time on a core: 2 when it keeps two cores busy.' }),
                memoryBytes: Type.Integer(),
                acceptedPerSecond: Type.Number(),
                sentPerSecond: Type.Number({ description: 'Events taken to a destination, once for each.' }),
              },
              {
                ...closed,
                description:
                  'Over the last ten seconds or so, as of its last beat. Left out for a process that does not say.',
              },
            ),
          ),
        },
        closed,
      ),
    ),
    lanesWithoutOwner: Type.Array(Type.Integer(), { description: 'Lanes that no process holds.' }),
  },
  closed,
)
const alone: ClusterProcess = { id: 'this', isThis: true, state: 'serving', beatAgeMs: 0, lanes: [] }

/**
 * `GET /v2/server`: version, uptime, store, retention, cluster; `GET /v2/cluster`: all processes. Source:
 * packages/docs/api/operations.md#server.
 */
export function createServerArea({ gate, server }: ServerAreaOptions): Area {
  const { startedAt, storeKind, ledger, retention, receiptsMax } = server
  return createArea([
    gate.route({
      method: 'get',
      path: '/v2/cluster',
      operationId: 'getCluster',
      summary: 'Get the processes that share the store, with their lanes and last beats',
      area: 'Operations',
      scopes: ['operate'],
      errors: [],
      responses: {
        200: { description: 'The processes; one alone where the store is not shared.', schema: clusterSchema },
      },
      handle: async () =>
        answer(
          (await server.processes?.()) ?? {
            processes: [{ ...alone, vitals: server.vitals() }],
            lanesWithoutOwner: [],
          },
        ),
    }),
    gate.route({
      method: 'get',
      path: '/v2/server',
      operationId: 'getServer',
      summary: 'Get version, uptime, store and limits of the process that answers',
      area: 'Operations',
      scopes: ['operate'],
      errors: [],
      responses: { 200: { description: 'The process.', schema: serverSchema } },
      handle: async ({ workspace }) => {
        const { bytes, budget } = await server.logUsage(workspace.id)
        const cluster = server.cluster()
        return answer({
          version: productVersion,
          startedAt: new Date(startedAt).toISOString(),
          uptimeSeconds: Math.floor((server.now() - startedAt) / 1_000),
          store: {
            kind: storeKind,
            logBytes: bytes,
            ...(budget ? { budgetBytes: budget.bytes, reservedBytes: Math.floor(budget.reserved) } : {}),
          },
          ledger,
          ...server.workTimes(workspace.id),
          retention: { ageMs: retention.ageMs, bytesMax: retention.bytesMax, receiptsMax },
          cluster,
        })
      },
    }),
  ])
}
