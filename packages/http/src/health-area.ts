import Type from 'typebox'
import { type Area, createArea } from './route.ts'

const status = (value: 'ok' | 'unavailable') =>
  Type.Object({ status: Type.Literal(value) }, { additionalProperties: false })

/** `GET /health`: open to all, says nothing but whether the process takes events. */
export function createHealthArea(isHealthy: () => boolean): Area {
  return createArea([
    {
      method: 'get',
      path: '/health',
      operationId: 'getHealth',
      summary: 'Whether the process takes events',
      area: 'Service',
      credential: 'open',
      responses: {
        200: { description: 'It does.', schema: status('ok') },
        503: { description: 'It is stopping.', schema: status('unavailable') },
      },
      handle: (context) =>
        isHealthy() ? context.json({ status: 'ok' }) : context.json({ status: 'unavailable' }, 503),
    },
  ])
}
