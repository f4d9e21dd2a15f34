import Type from 'typebox'
import { type Area, createArea } from '../routing/route.ts'

const ok = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false })
const unavailable = Type.Object(
  {
    status: Type.Literal('unavailable'),
    reason: Type.String({
      description:
        '`stopping`; `storeLost`: start the process again; `suppressionUnavailable`: it is not known who is suppressed.',
    }),
  },
  { additionalProperties: false },
)

export type Health = 'ok' | 'stopping' | 'storeLost' | 'suppressionUnavailable'

/** `GET /health`: open to all, says nothing but whether the process is as it should be. */
export function createHealthArea(health: () => Health): Area {
  return createArea([
    {
      method: 'get',
      path: '/health',
      operationId: 'getHealth',
      summary: 'Whether the process is as it should be',
      area: 'Service',
      credential: 'open',
      responses: {
        200: { description: 'It is.', schema: ok },
        503: { description: 'It is not.', schema: unavailable },
      },
      handle: (context) => {
        const reason = health()
        return reason === 'ok' ? context.json({ status: 'ok' }) : context.json({ status: 'unavailable', reason }, 503)
      },
    },
  ])
}
