import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { googlePubsub } from '../../products/google-pubsub/google-pubsub.ts'
import { webhook } from '../../products/webhook/webhook.ts'
import { defineDestination } from '../define/define-destination.ts'
import { everyType } from '../define/message-type.ts'
import { query } from '../map/request/delivery-request.ts'
import { parseSettings } from './parse-settings.ts'

const nested = defineDestination({
  type: 'NESTED',
  displayName: 'Nested',
  supports: everyType,
  settings: Type.Object({
    region: Type.Enum(['eu', 'us']),
    limits: Type.Object({ size: Type.Integer({ default: 5 }) }, { default: {} }),
    auth: Type.Object({ token: Type.String({ minLength: 4 }) }),
  }),
  secrets: ['auth.token'],
  requests: () => query({ method: 'GET', endpoint: 'https://api.test' }),
  examples: [],
})

describe('parseSettings', () => {
  it('fills in defaults, keeps unknown members, and does not change its input', () => {
    const input = Object.freeze({ webhookUrl: 'http://hook.test', connectionMode: 'cloud' })
    expect(parseSettings(webhook, input)).toEqual({
      ok: true,
      settings: {
        webhookUrl: 'http://hook.test',
        allowEventAddress: false,
        trustedOrigins: [],
        compressBodies: false,
        webhookMethod: 'POST',
        headers: [],
        connectionMode: 'cloud',
      },
    })
    expect(parseSettings(nested, { region: 'eu', auth: { token: 'long' } })).toEqual({
      ok: true,
      settings: { region: 'eu', limits: { size: 5 }, auth: { token: 'long' } },
    })
  })

  it('returns separate defaults for each call', () => {
    const [a, b] = [1, 2].map(() => parseSettings(webhook, { webhookUrl: 'http://hook.test' }))
    expect(a?.ok && b?.ok && a.settings.headers !== b.settings.headers).toBe(true)
  })

  it('reports all problems together, with value and allowed values', () => {
    expect(
      parseSettings(webhook, { webhookMethod: 'BREW', webhookUrl: 'ftp://hook.test', headers: [{ to: 'x' }] }),
    ).toEqual({
      ok: false,
      problems: expect.arrayContaining([
        { path: 'webhookUrl', value: 'ftp://hook.test', allowed: 'an http or https address without user and password' },
        { path: 'webhookMethod', value: 'BREW', allowed: 'one of POST, PUT, PATCH, GET, DELETE' },
        { path: 'headers[0].from', value: undefined, allowed: 'a string' },
      ]),
    })
    expect(parseSettings(webhook, {})).toEqual({
      ok: false,
      problems: [
        { path: 'webhookUrl', value: undefined, allowed: 'an http or https address without user and password' },
      ],
    })
  })

  it('refuses a user and a password in an address, which are not sent, and shows neither', () => {
    const parsed = parseSettings(webhook, { webhookUrl: 'https://ann:s3cret@hook.test/in' })
    expect(parsed.ok).toBe(false)
    expect(JSON.stringify(parsed)).not.toMatch(/ann|s3cret/)
    expect(parseSettings(webhook, { webhookUrl: 'https://hook.test/@in?to=a@b.test' }).ok).toBe(true)
  })

  const hidden = [
    { name: 'at a secret', input: { region: 'eu', auth: { token: 'pw' } }, path: 'auth.token' },
    { name: 'above a secret', input: { region: 'eu', auth: 'pw' }, path: 'auth' },
    { name: 'of the whole settings', input: 'pw', path: '' },
  ]
  for (const { name, input, path } of hidden) {
    it(`does not show the value ${name}`, () => {
      const parsed = parseSettings(nested, input)
      expect(parsed).toEqual({ ok: false, problems: [{ path, value: '(hidden)', allowed: expect.any(String) }] })
      expect(JSON.stringify(parsed)).not.toContain('pw')
    })
  }

  it('says that a secret is there, without its value, when the check of a type refuses it', () => {
    const settings = {
      projectId: 'project-1',
      credentials: 'placeholder',
      eventToTopicMap: [{ from: 'a', to: 'topic' }],
    }
    const problem = { path: 'credentials', allowed: 'the JSON of a key with client_email and private_key' }
    expect(parseSettings(googlePubsub, settings)).toEqual({ ok: false, problems: [{ ...problem, value: '(hidden)' }] })
  })

  it('does not show headers that are not a list, nor elements that are not objects', () => {
    for (const headers of [{ authorization: 'Bearer pw' }, ['Bearer pw'], [[{ to: 'Bearer pw' }]]]) {
      const parsed = parseSettings(webhook, { webhookUrl: 'http://hook.test', headers })
      expect(parsed.ok).toBe(false)
      expect(JSON.stringify(parsed)).not.toContain('pw')
    }
  })

  it('lets an event decide a setting unless it is fixed', () => {
    const definition = defineDestination({
      type: 'FIXED',
      displayName: 'Fixed',
      supports: everyType,
      settings: Type.Object({ name: Type.Integer(), folder: Type.String({ isFixed: true, allowed: 'a folder' }) }),
      secrets: [],
      requests: () => [],
      examples: [],
    })
    const template = '{{ event.x || "y" }}'
    expect(parseSettings(definition, { name: template, folder: 'out' }).ok).toBe(true)
    expect(parseSettings(definition, { name: 1, folder: template })).toEqual({
      ok: false,
      problems: [{ path: 'folder', value: template, allowed: 'a folder' }],
    })
  })

  it('refuses values that cannot be settings', () => {
    for (const input of [undefined, null, 7, [], { webhookUrl: () => 'x' }]) {
      expect(parseSettings(webhook, input).ok).toBe(false)
    }
  })

  it('limits the problems and the values it shows', () => {
    const headers = Array.from({ length: 99 }, () => ({}))
    const parsed = parseSettings(webhook, { webhookUrl: 'x'.repeat(10_000), headers })
    expect(!parsed.ok && parsed.problems.length).toBe(50)
    expect(JSON.stringify(parsed).length).toBeLessThan(10_000)
  })
})
