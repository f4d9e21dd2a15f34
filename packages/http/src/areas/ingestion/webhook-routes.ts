import { formPairs, type Random } from '@sluice/core'
import Type from 'typebox'
import type { PlainHeaders } from '../../gate/plain-request.ts'
import type { Route } from '../../routing/route.ts'
import { ingestRoute, writeKeyQuery } from './ingest-route.ts'
import { type BodyParser, type Intake, parseAsJson } from './intake.ts'
import { formProperties, webhookEvents } from './webhook-events.ts'

/** Parameters of a form. */
const parametersMax = 20_000
const openers = new Set(['{', '['].map((character) => character.charCodeAt(0)))

/**
 * `POST /v1/webhook` with JSON of any form or a form, and `GET /v1/webhook` with the data in the query: what other
 * programs send becomes events. HEAD stores nothing. Source: packages/docs/api/ingestion.md#webhooks.
 */
export function createWebhookRoutes(intake: Intake, random: Random): readonly Route[] {
  const shared = { path: '/v1/webhook', writeKeyIn: 'header-or-query' } as const
  return [
    ingestRoute({
      ...shared,
      operationId: 'ingestWebhook',
      summary: 'Turn the body of a webhook into an event',
      body: Type.Unknown(),
      query: Type.Partial(writeKeyQuery),
      take: (c) =>
        intake.takeBody(c.req.raw, c.env, {
          ...shared,
          parse: parseJsonOrForm,
          toEvents: (body) => webhookEvents(body, random),
        }),
    }),
    ingestRoute({
      ...shared,
      method: 'get',
      operationId: 'ingestWebhookQuery',
      summary: 'Turn the query of a webhook into an event',
      query: Type.Partial(writeKeyQuery),
      take: async (c) =>
        c.req.method === 'HEAD'
          ? { ok: true, rejected: [] }
          : intake.takeQuery(c.req.raw, c.env, {
              ...shared,
              toEvents: (query) => webhookEvents(formProperties(query.filter(([name]) => name !== 'writeKey')), random),
            }),
    }),
  ]
}

function* parseJsonOrForm(bytes: Buffer, headers: PlainHeaders): ReturnType<BodyParser> {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded' || openers.has(bytes[0] ?? 0))
    return yield* parseAsJson(bytes, headers)
  const text = bytes.toString('utf8')
  if (text.split('&', parametersMax + 1).length > parametersMax)
    return { ok: false, code: 'bodyTooLarge', detail: `more than ${parametersMax} parameters; send JSON` }
  return { ok: true, value: formProperties(formPairs(text)) }
}
