import { Type } from 'typebox'
import { defineDestination, everyType, field, json } from '../../kit/index.ts'
import { statsigExamples } from './statsig-examples.ts'

/**
 * Sends each event to Statsig unchanged.
 *
 * Source: recorded behaviour of RudderStack's statsig destination; Statsig's documentation of its event webhooks.
 */
export const statsig = defineDestination({
  type: 'STATSIG',
  displayName: 'Statsig',
  supports: everyType,
  settings: Type.Object({
    secretKey: field.requiredText({
      title: 'Secret key',
      description: 'Server secret key of the project.',
      allowed: 'a secret key',
    }),
  }),
  secrets: ['secretKey'],
  requests: (event, { secretKey }) =>
    json({
      method: 'POST',
      endpoint: 'https://api.statsig.com/v1/webhooks/rudderstack',
      headers: { 'content-type': 'application/json', 'STATSIG-API-KEY': secretKey },
      body: event,
    }),
  examples: statsigExamples,
})
