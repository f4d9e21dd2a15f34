import type { Context } from 'hono'
import Type from 'typebox'
import { type Area, createArea } from '../routing/area.ts'

const ok = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false })
const healthy = Type.Object(
  {
    status: Type.Literal('ok'),
    warnings: Type.Optional(
      Type.Array(Type.Enum(['noLedger', 'ledgerKeyNeeded', 'deletionIdsNeeded']), {
        description:
          '`noLedger`: a store that is restored from a backup forgets later regulations. `ledgerKeyNeeded`: the store was restored, and deletions of users wait for SLUICE_LEDGER_KEY, under which their ids are encrypted; the users are suppressed. `deletionIdsNeeded`: the store was restored, and the ledger has no ids of users to delete; they are suppressed. Create their regulations again with the ids, then cancel those without.',
      }),
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
export type HealthWarning = 'noLedger' | 'ledgerKeyNeeded' | 'deletionIdsNeeded'
export type Readiness = Health | 'notServing'

export interface HealthChecks {
  /** Whether the process works normally. */
  health(): Health
  /** What does not stop it, and what operators should know. */
  warnings(): readonly HealthWarning[]
  /** Whether requests are to be sent to the process. */
  readiness(): Readiness
}

/**
 * `GET /health`: whether the process works normally. `GET /live`: that it runs. `GET /ready`: whether a load balancer should
 * send requests to it. None needs a credential.
 */
export function createHealthArea({ health, warnings, readiness }: HealthChecks): Area {
  const open = { method: 'get', area: 'Service', credential: 'open' } as const
  const responses = (healthy: string, unhealthy: string) => ({
    200: { description: healthy, schema: ok },
    503: { description: unhealthy, schema: unavailable },
  })
  const answer = (context: Context, reason: Readiness) =>
    reason === 'ok' ? context.json({ status: 'ok' }) : context.json({ status: 'unavailable', reason }, 503)
  return createArea([
    {
      ...open,
      path: '/health',
      operationId: 'getHealth',
      summary: 'Check the health of the process',
      responses: { ...responses('Healthy.', 'Unhealthy.'), 200: { description: 'Healthy.', schema: healthy } },
      handle: (context) => {
        const reason = health()
        const found = warnings()
        return reason === 'ok' && found.length > 0
          ? context.json({ status: 'ok', warnings: found })
          : answer(context, reason)
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
      responses: responses('Takes requests.', 'Refuses events for now: a load balancer should send them elsewhere.'),
      handle: (context) => answer(context, readiness()),
    },
  ])
}
