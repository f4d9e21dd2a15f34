import { eventTypes } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { webhook } from '../../../products/webhook/webhook.ts'
import { publicDefinition } from './public-definition.ts'

describe('publicDefinition', () => {
  it('lists the settings of the webhook by their names in the API', () => {
    expect(publicDefinition(webhook)).toMatchObject({
      name: 'WEBHOOK',
      displayName: 'Webhook',
      defaultConfig: ['webhookUrl', 'webhookMethod', 'headers'],
      secretKeys: ['headers.to'],
      supportedMessageTypes: eventTypes,
    })
  })

  it('is plain JSON', () => {
    const published = publicDefinition(webhook)
    expect(JSON.parse(JSON.stringify(published))).toStrictEqual(published)
    expect(published.settings).toMatchObject({ type: 'object', properties: { webhookMethod: { default: 'POST' } } })
  })
})
