import { Hono } from 'hono'

/** `GET /health`: open to all, says nothing but whether the process takes events. */
export function createHealthArea(isHealthy: () => boolean): Hono {
  return new Hono().get('/health', (c) =>
    isHealthy() ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503),
  )
}
