import type { Context } from 'hono'
import Type from 'typebox'
import { type Area, createArea } from '../routing/area.ts'

const ok = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false })
/** Works, while an operator is to confirm that acknowledged events were lost, or other processes of the server do not work. */
const degraded = {
  status: Type.Enum(['ok', 'degraded']),
  reason: Type.Optional(
    Type.Enum(['lossUnconfirmed', 'processesUnwell'], {
      description:
        '`processesUnwell`: this process works, and others that answer on the same port do not; `processes` names them. `lossUnconfirmed`: the database lacked what it had acknowledged, as after a fail-over to an asynchronous standby. Requests are served. `sluice cluster status` says what is lost; `sluice cluster confirm-loss` confirms it.',
    }),
  ),
}
const unwellProcess = Type.Object(
  {
    process: Type.Integer({ description: 'Its number, counted from 1.' }),
    reason: Type.String({
      description:
        '`starting`; `noAnswer`: it has not answered in time; or the reason that it would answer `GET /ready` with.',
    }),
  },
  { additionalProperties: false },
)
const ready = Type.Object(degraded, { additionalProperties: false })
const healthy = Type.Object(
  {
    ...degraded,
    processes: Type.Optional(
      Type.Array(unwellProcess, {
        description: 'Other processes of this server (`serve --processes`) that do not work. Absent when all do.',
      }),
    ),
    warnings: Type.Optional(
      Type.Array(
        Type.Enum([
          'noLedger',
          'ledgerKeyNeeded',
          'deletionIdsNeeded',
          'lostCommits',
          'olderDefinition',
          'otherDefinitions',
        ]),
        {
          description:
            '`noLedger`: a store that is restored from a backup forgets later regulations. `ledgerKeyNeeded`: the store was restored, and deletions of users wait for SLUICE_LEDGER_KEY, under which their ids are encrypted; the users are suppressed. `deletionIdsNeeded`: the store was restored, and the ledger has no ids of users to delete; they are suppressed. Create their regulations again with the ids, then cancel those without. `lostCommits`: the store lacked the newest of what it had acknowledged when this process opened it, because an older file was in its place or its disk has lost it; the log of the process says how much, and the warning ends with the next start. `olderDefinition`: another process of the cluster has a newer workspace file than this one, and new events go where that one says; give this process the same file, and restart it or send SIGHUP. `otherDefinitions`: this process has the newest, and others have an older one.',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
const unavailable = Type.Object(
  {
    status: Type.Literal('unavailable'),
    reason: Type.String({
      description:
        '`stopping`; `storeLost`: restart the process; `storeDamaged`: put a backup in the place of the store, or salvage it; `storeUnwritable`: its disk is full, has errors or is read-only; `suppressionUnavailable`: suppressed users cannot be read; `notServing`: the process is cut off from the others of its cluster.',
    }),
  },
  { additionalProperties: false },
)

export type Health = 'ok' | 'stopping' | 'storeLost' | 'storeDamaged' | 'storeUnwritable' | 'suppressionUnavailable'
export type HealthWarning =
  | 'noLedger'
  | 'ledgerKeyNeeded'
  | 'deletionIdsNeeded'
  | 'lostCommits'
  | 'olderDefinition'
  | 'otherDefinitions'
type Readiness = Health | 'notServing'

interface HealthChecks {
  /** Whether the process works normally. */
  health(): Health
  /** What does not stop it, and what operators should know. */
  warnings(): readonly HealthWarning[]
  /** Whether an operator is to confirm that the store lacked what it had acknowledged. */
  hasUnconfirmedLoss(): boolean
  /** The other processes that answer on the same port, and do not work. Left out, there are no others. */
  unwell?(): Promise<readonly { readonly process: number; readonly reason: string }[]>
  /** Whether requests are to be sent to the process. */
  readiness(): Readiness
}

/**
 * `GET /health`: whether the process works normally. `GET /live`: that it runs. `GET /ready`: whether a load balancer should
 * send requests to it. None needs a credential.
 */
export function createHealthArea({ health, warnings, hasUnconfirmedLoss, unwell, readiness }: HealthChecks): Area {
  const open = { method: 'get', area: 'Service', credential: 'open' } as const
  const responses = (text: string, schema: typeof healthy | typeof ready, unhealthy: string) => ({
    200: { description: text, schema },
    503: { description: unhealthy, schema: unavailable },
  })
  const statusOf = (isOneUnwell = false) => {
    if (hasUnconfirmedLoss()) return { status: 'degraded', reason: 'lossUnconfirmed' }
    return isOneUnwell ? { status: 'degraded', reason: 'processesUnwell' } : { status: 'ok' }
  }
  const refusal = (context: Context, reason: Readiness) => context.json({ status: 'unavailable', reason }, 503)
  return createArea([
    {
      ...open,
      path: '/health',
      operationId: 'getHealth',
      summary: 'Check the health of the process',
      responses: responses('Healthy.', healthy, 'Unhealthy.'),
      handle: async (context) => {
        const reason = health()
        if (reason !== 'ok') return refusal(context, reason)
        const [found, processes = []] = [warnings(), await unwell?.()]
        return context.json({
          ...statusOf(processes.length > 0),
          ...(processes.length > 0 ? { processes } : {}),
          ...(found.length > 0 ? { warnings: found } : {}),
        })
      },
    },
    {
      ...open,
      path: '/live',
      operationId: 'getLiveness',
      summary: 'Check that the process runs',
      responses: { 200: { description: 'Running. A process that does not answer is to be restarted.', schema: ok } },
      handle: (context) => context.json({ status: 'ok' }),
    },
    {
      ...open,
      path: '/ready',
      operationId: 'getReadiness',
      summary: 'Check whether the process takes requests',
      responses: responses(
        'Takes requests.',
        ready,
        'Refuses events for now: a load balancer should send them elsewhere.',
      ),
      handle: (context) => {
        const reason = readiness()
        return reason === 'ok' ? context.json(statusOf()) : refusal(context, reason)
      },
    },
  ])
}
