import { describe, expect, it } from 'vitest'
import type { SegmentAuthentication, SegmentDefinition } from '../peer/segment-definition.ts'
import { fieldSchema, settingsSchema } from './settings-schema.ts'

const actions: SegmentDefinition['actions'] = {
  send: { title: 'Send', fields: {}, perform: () => undefined },
  list: { title: 'List', fields: {}, perform: () => undefined },
}
const schemaOf = (authentication?: SegmentAuthentication, hasOwnNetwork = false) =>
  settingsSchema({ definition: { actions, ...(authentication ? { authentication } : {}) }, hasOwnNetwork })

describe('the schema of settings', () => {
  it('has the fields of the authentication, subscriptions, and nothing else', () => {
    const { schema, secrets } = schemaOf({
      scheme: 'custom',
      fields: { key: { type: 'password', required: true }, region: { type: 'string' } },
    })
    expect(Object.keys(schema.properties)).toEqual(['key', 'region', 'subscriptions'])
    expect(schema.required).toEqual(['key'])
    expect(secrets).toEqual(['key'])
  })

  it('has only subscriptions for a definition without authentication', () => {
    expect(Object.keys(schemaOf().schema.properties)).toEqual(['subscriptions'])
  })

  it('requires tokens where there is an account, and keeps them secret', () => {
    for (const scheme of ['oauth2', 'oauth-managed']) {
      const { schema, secrets } = schemaOf({ scheme, fields: { account: { type: 'string' } } })
      expect(schema.required).toEqual(['oauth'])
      expect(secrets).toEqual(['oauth.accessToken', 'oauth.refreshToken', 'oauth.clientSecret'])
    }
    expect(schemaOf({ scheme: 'basic' }).schema.properties).not.toHaveProperty('oauth')
  })

  it('lets actions be named in subscriptions', () => {
    expect(schemaOf().schema.properties['subscriptions']).toMatchObject({
      items: { required: ['action'], properties: { action: { enum: ['send', 'list'] } } },
    })
  })

  it('asks for leave where the destination opens connections of its own', () => {
    expect(schemaOf(undefined, true).schema.properties['allowOwnNetwork']).toMatchObject({
      type: 'boolean',
      default: false,
      isFixed: true,
    })
  })

  it('does not require fields that are required under conditions only', () => {
    const required = { conditions: [{ fieldKey: 'type', operator: 'is', value: 'password' }] }
    expect(schemaOf({ fields: { key: { type: 'password', required } } }).schema.required).toEqual([])
  })
})

describe('the schema of a field', () => {
  it('has its label and description, its default, and its choices', () => {
    expect(
      fieldSchema({
        type: 'string',
        label: 'Region',
        description: 'Where data is stored.',
        default: 'eu',
        choices: ['us', { value: 'eu', label: 'Europe' }],
        required: true,
      }),
    ).toEqual({
      isFixed: true,
      type: 'string',
      description: 'Region: Where data is stored.',
      default: 'eu',
      enum: ['us', 'eu'],
    })
  })

  it('has the type that JSON Schema knows', () => {
    const types = {
      text: 'string',
      password: 'string',
      datetime: 'string',
      integer: 'integer',
      boolean: 'boolean',
    } as const
    for (const [type, wanted] of Object.entries(types))
      expect(fieldSchema({ type: type as keyof typeof types })).toEqual({ isFixed: true, type: wanted })
  })

  it('refuses an empty text where a value is required', () => {
    expect(fieldSchema({ type: 'password', required: true })).toEqual({ isFixed: true, type: 'string', minLength: 1 })
    expect(fieldSchema({ type: 'number', required: true })).toEqual({ isFixed: true, type: 'number' })
  })

  it('has a format only where it can be checked', () => {
    expect(fieldSchema({ type: 'string', format: 'uri' })).toEqual({ isFixed: true, type: 'string', format: 'uri' })
    expect(fieldSchema({ type: 'string', format: 'text' })).toEqual({ isFixed: true, type: 'string' })
  })
})
