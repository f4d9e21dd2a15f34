import Type from 'typebox'
import { type Area, createArea } from '../routing/area.ts'

const ok = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false })
const unavailable = Type.Object(
  {
    status: Type.Literal('unavailable'),
    reason: Type.String({
      description:
        '`stopping`; `storeLost`: restart the process; `storeDamaged`: put a backup in the place of the store, or salvage it; `suppressionUnavailable`: suppressed users cannot be read.',
    }),
  },
  { additionalProperties: false },
)

export type Health = 'ok' | 'stopping' | 'storeLost' | 'storeDamaged' | 'suppressionUnavailable'

/** `GET /health`: whether the process works normally. Needs no credential. */
export function createHealthArea(health: () => Health): Area {
  return createArea([
    {
      method: 'get',
      path: '/health',
      operationId: 'getHealth',
      summary: 'Check the health of the process',
      area: 'Service',
      credential: 'open',
      responses: {
        200: { description: 'Healthy.', schema: ok },
        503: { description: 'Unhealthy.', schema: unavailable },
      },
      handle: (context) => {
        const reason = health()
        return reason === 'ok' ? context.json({ status: 'ok' }) : context.json({ status: 'unavailable', reason }, 503)
      },
    },
  ])
}
