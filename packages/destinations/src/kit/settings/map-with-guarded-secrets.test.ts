import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { nats } from '../../products/nats/nats.ts'
import * as convert from '../convert/index.ts'
import { defineDestination } from '../define/define-destination.ts'
import { ask, isKnown } from '../map/ask.ts'
import { mapEvent } from '../map/map-event.ts'
import { json, query } from '../map/request/delivery-request.ts'

/** Signs in at a fixed address, and sends what it got to the address in the settings. */
const crm = defineDestination({
  type: 'CRM',
  displayName: 'CRM',
  supports: ['track'],
  settings: Type.Object({ url: Type.String(), login: Type.String(), password: Type.String() }),
  secrets: ['password'],
  requests(_, { url, login, password }, context) {
    const token = ask(context, {
      key: 'token',
      request: query({ method: 'GET', endpoint: login, headers: { authorization: password } }),
      read: ({ body }) => body,
      ttlMs: 1_000,
    })
    if (!isKnown(token)) return token
    return json({ method: 'POST', endpoint: url, headers: { authorization: String(token) }, body: {} })
  },
  examples: [],
})

const stored = { url: 'https://crm.test/in', login: 'https://login.test/', password: 'stored-secret' }
const event = { type: 'track', event: 'E' }
const answers = new Map([['token', 'token-of-the-stored-account']])
const map = (chosen: object, context: object = {}) =>
  mapEvent(crm, event, { ...stored, ...chosen }, { now: 0, ...context }, stored)

describe('a mapping with settings of one call', () => {
  it('asks with the stored secrets where the stored settings lead', () => {
    expect(map({ url: 'https://other.test/' })).toMatchObject({
      request: { endpoint: stored.login, headers: { authorization: 'stored-secret' } },
    })
  })

  it('asks elsewhere without them', () => {
    const asked = map({ login: 'https://attacker.test/' })
    expect(asked).toMatchObject({ request: { endpoint: 'https://attacker.test/', withheld: ['authorization'] } })
    expect(JSON.stringify(asked)).not.toContain('stored-secret')
  })

  it('sends no answer to another address', () => {
    const mapped = map({ url: 'https://attacker.test/' }, { answers })
    expect(mapped).toMatchObject({ errorType: 'configuration' })
    expect(JSON.stringify(mapped)).not.toContain('token-of-the-stored-account')
    expect(map({ url: 'https://crm.test/other' }, { answers })).toMatchObject([
      { headers: { authorization: 'token-of-the-stored-account' } },
    ])
  })

  it('connects a sink without the stored secrets when an option names another server', () => {
    const settings = {
      servers: 'good.test',
      subject: 's',
      username: 'u',
      password: 'stored-secret',
      jetStream: true,
      eventToSubjectMap: [],
    }
    const map = (servers: string) => mapEvent(nats, event, { ...settings, servers }, { now: 0 }, settings)
    expect(JSON.stringify(map('good.test'))).toContain(convert.basicAuth('u', 'stored-secret'))
    const elsewhere = map('good.test, attacker.test')
    expect(elsewhere).toMatchObject([{ params: { moreServers: ['attacker.test'] }, withheld: ['authorization'] }])
    expect(JSON.stringify(elsewhere)).not.toContain(convert.basicAuth('u', 'stored-secret'))
  })
})
