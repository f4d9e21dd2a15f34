import { eventTypes } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { webhook } from '../../products/webhook/webhook.ts'
import { publicDefinition } from './public-definition.ts'

describe('publicDefinition', () => {
  it('tells the variable names of the webhook as the interface does', () => {
    expect(publicDefinition(webhook)).toMatchObject({
      name: 'WEBHOOK',
      displayName: 'Webhook',
      defaultConfig: ['webhookUrl', 'webhookMethod', 'headers'],
      secretKeys: ['headers.to'],
      supportedMessageTypes: eventTypes,
    })
  })

  it('is plain JSON', () => {
    const told = publicDefinition(webhook)
    expect(JSON.parse(JSON.stringify(told))).toStrictEqual(told)
    expect(told.settings).toMatchObject({ type: 'object', properties: { webhookMethod: { default: 'POST' } } })
  })
})
