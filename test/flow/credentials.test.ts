import { createRecordingTransport } from '@sluice/delivery'
import { createSluice, WorkspaceFileError } from 'sluice'
import { describe, expect, it } from 'vitest'
import { basic, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const code = `export function transformEvent(event) {
  return { ...event, given: [getCredential('api'), getCredential('fromEnv'), getCredential('none') ?? null, getCredential('constructor') ?? null] }
}`
const settings = { webhookUrl: 'http://hook.test/' }
const withCode = (credentials: Record<string, string>) =>
  shop('http://hook.test/', {
    destinations: [{ id: 'hook', type: 'WEBHOOK', settings, transformation: { code } }],
    accessTokens: [{ name: 'all', token: hashOf('token') }],
    credentials,
  })

describe('credentials of a workspace', () => {
  it('are available to user code by getCredential, from the file or the environment, and are shown nowhere', async () => {
    const recorded = createRecordingTransport()
    const sluice = await createSluice({
      workspace: withCode({ api: 'hidden-1', fromEnv: 'env:SECRET' }),
      env: { SECRET: 'hidden-2' },
      transport: recorded,
      admin: { user: 'admin', password: 'password' },
    })
    await sluice.ingest('web-key', [{ type: 'track', event: 'E', userId: 'u' }])
    await sluice.settled()
    expect(recorded.requests.map(({ body }) => body.JSON['given'])).toEqual([['hidden-1', 'hidden-2', null, null]])
    for (const path of ['/v2/sources', '/v2/destinations', '/destination-definitions', '/openapi.json']) {
      const headers = { authorization: basic('', 'token') }
      const answer = await sluice.fetch(new Request(`http://x${path}`, { headers }))
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toContain('hidden-')
    }
    await sluice.stop()
  })

  it('that cannot be read are reported by key, without a value', async () => {
    const problems = async (credentials: Record<string, string>): Promise<string> => {
      const starting = createSluice({ workspace: withCode(credentials), env: { EMPTY: '' } })
      const error = await starting.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(WorkspaceFileError)
      return String(error)
    }
    expect(await problems({ api: 'env:EMPTY' })).toMatch(
      /credentials\.api: got \(hidden\); allowed: .*variable that is set/,
    )
    expect(await problems({ api: `secret${'x'.repeat(10_001)}` })).not.toContain('secretx')
  })
})
