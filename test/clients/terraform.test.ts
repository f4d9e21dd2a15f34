import { beforeEach, describe, expect, it } from 'vitest'
import { type ApiAnswer, type ApiClient, hashOf } from '../support/http/api-client.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

/** What RudderStack's Terraform provider sends, and what it compares with its plan. */
let api: ApiClient
const serve = serveWorkspaces({
  workspace: {
    id: 'shop',
    accessTokens: [{ name: 'all', token: hashOf('token'), scopes: ['read', 'write', 'operate', 'admin'] }],
    sources: [],
    destinations: [],
    connections: [],
  },
})
beforeEach(async () => {
  api = await (await serve()).api('Bearer token')
})

interface Shown {
  readonly id: string
  readonly type: string
  readonly enabled: boolean
  readonly config: object
  readonly problems?: readonly object[]
}

async function created(noun: string, answer: Promise<ApiAnswer>): Promise<Shown> {
  const { status, body } = await answer
  expect([status, body]).toEqual([201, expect.anything()])
  return body[noun] as Shown
}
const find = async (plural: string, noun: string, id: string): Promise<Shown> =>
  (await api.get(`/v2/${plural}/${id}`)).body[noun] as Shown

describe('a source of Terraform', () => {
  it('is created with config null, and shows its settings at the top', async () => {
    const body = { name: 's', type: 'Javascript', enabled: true, config: null }
    const settings = { geoEnrichmentEnabled: true, transient: false }
    const { id } = await created('source', api.post('/v2/sources', { ...body, ...settings }))
    expect(await find('sources', 'source', id)).toMatchObject({ ...body, config: {}, ...settings })
    const changed = { ...body, name: 't', geoEnrichmentEnabled: false, transient: true }
    expect((await api.put(`/v2/sources/${id}`, changed)).status).toBe(200)
    expect(await find('sources', 'source', id)).toMatchObject({ ...changed, config: {} })
  })

  it('has no settings that were not sent', async () => {
    const { id } = await created('source', api.post('/v2/sources', { name: 's', type: 'HTTP', config: null }))
    const source = await find('sources', 'source', id)
    expect(source).not.toHaveProperty('geoEnrichmentEnabled')
    expect(source).not.toHaveProperty('transient')
  })
})

describe('a destination of Terraform', () => {
  const cases = [
    { type: 'GA', config: { trackingID: 'UA-1', doubleClick: true, sampleRate: { web: '1000' }, siteSpeed: [] } },
    { type: 'STATSIG', config: { connectionMode: { web: 'cloud' } }, more: { secretKey: 'x' } },
    { type: 'HTTP', config: { apiUrl: 'https://x.test/', auth: 'noAuth', method: 'POST', maxBatchSize: '5' } },
    { type: 'BRAZE', config: { dataCenter: 'US-01', trackAnonymousUser: { web: true } }, more: { restApiKey: 'x' } },
    { type: 'WEBHOOK', config: { webhookUrl: 'https://x.test/', webhookMethod: 'GET' } },
  ]
  for (const { type, config, more = {} } of cases)
    it(`comes back as it was sent, without a default: ${type}`, async () => {
      const masked = Object.fromEntries(Object.keys(more).map((key) => [key, '••••••']))
      const sent = { name: 'd', type, enabled: true, config: { ...config, ...more } }
      const { id, config: answered } = await created('destination', api.post('/v2/destinations', sent))
      expect(answered).toEqual({ ...config, ...masked })
      const update = await api.put(`/v2/destinations/${id}`, { ...sent, config: { ...sent.config, ...masked } })
      expect(update.body['destination']).toMatchObject({ config: { ...config, ...masked } })
      const { config: found } = await find('destinations', 'destination', id)
      expect(found).toEqual({ ...config, ...masked })
    })

  it('has an explicit default only after it was sent, and no longer once it was left out', async () => {
    const sent = { name: 'd', type: 'S3', config: { bucketName: 'bucket', accessKeyID: 'a', accessKey: 'b' } }
    const { id } = await created('destination', api.post('/v2/destinations', sent))
    const keys = { accessKeyID: '••••••', accessKey: '••••••' }
    for (const more of [{ enableSSE: false }, {}, { prefix: '' }]) {
      await api.put(`/v2/destinations/${id}`, { ...sent, config: { ...sent.config, ...more } })
      expect((await find('destinations', 'destination', id)).config).toEqual({ bucketName: 'bucket', ...keys, ...more })
    }
  })

  it('hides texts that no definition declares where they may be secret, and shows their type', async () => {
    const { config } = await created(
      'destination',
      api.post('/v2/destinations', {
        name: 'd',
        type: 'GA',
        config: {
          trackingID: 'UA-1',
          sasToken: 'secret',
          nested: [{ apiKey: 'secret', mode: 'cloud', useKeyPair: true }],
          address: 'https://user:secret@x.test/',
          xhrHeaders: { web: [{ key: 'a', value: 'secret' }] },
          sshPublicKey: 'ssh-rsa AAAA',
          iamRoleARNForAuth: 'arn:aws:iam::123456789012:role/loader',
          publicKeyPassword: 'secret',
        },
      }),
    )
    expect(config).toEqual({
      trackingID: 'UA-1',
      sasToken: '••••••',
      nested: [{ apiKey: '••••••', mode: 'cloud', useKeyPair: true }],
      address: '••••••',
      xhrHeaders: { web: [{ key: '••••••', value: '••••••' }] },
      sshPublicKey: 'ssh-rsa AAAA',
      iamRoleARNForAuth: 'arn:aws:iam::123456789012:role/loader',
      publicKeyPassword: '••••••',
    })
  })

  const unfinished = [
    { type: 'KINESIS', config: { region: 'us-east-1', stream: 'test', roleBasedAuth: true }, missing: 'accessKeyID' },
    { type: 'S3', config: { bucketName: 'bucket' }, missing: 'accessKey' },
    { type: 'S3_DATALAKE', config: { bucketName: 'bucket', region: 'us-east-2' }, missing: 'accessKey' },
    {
      type: 'SNOWFLAKE',
      config: { account: '...', database: 'd', warehouse: 'w', user: 'u', useKeyPairAuth: false },
      missing: 'privateKey',
    },
    { type: 'FACEBOOK_PIXEL', config: { pixelId: '1' }, missing: 'accessToken' },
    { type: 'TIKTOK_ADS', config: { pixelCode: 'A1' }, missing: 'accessToken' },
    {
      type: 'POSTHOG',
      config: { yourInstance: 'app.posthog.com' },
      more: { teamApiKey: 'k' },
      missing: 'yourInstance',
    },
    { type: 'ITERABLE', config: { packageName: { web: 'x' } }, more: { apiKey: 'k' }, missing: 'packageName' },
    {
      type: 'KAFKA',
      config: { hostName: 'h', port: '9092', topic: 't', convertToAvro: true },
      missing: 'convertToAvro',
    },
  ]
  for (const { type, config, more = {}, missing } of unfinished)
    it(`is stored although it cannot work, and says why: ${type}`, async () => {
      const sent = { name: 'd', type, enabled: true, config: { ...config, ...more } }
      const { id } = await created('destination', api.post('/v2/destinations', sent))
      const masked = Object.fromEntries(Object.keys(more).map((key) => [key, '••••••']))
      const source = await created('source', api.post('/v2/sources', { name: 's', config: null }))
      await created(
        'connection',
        api.post('/v2/connections', { sourceId: source.id, destinationId: id, enabled: true }),
      )
      const { destinations } = (await api.get('/v2/destinations')).body as unknown as { destinations: Shown[] }
      for (const found of [await find('destinations', 'destination', id), destinations[0]]) {
        expect(found).toMatchObject({ type, enabled: true, config: { ...config, ...masked } })
        expect(found?.problems).toContainEqual(expect.objectContaining({ path: `config.${missing}` }))
      }
    })

  it('is refused with all problems where a setting is wrong in another way', async () => {
    const refused = await api.post('/v2/destinations', { name: 'd', type: 'S3', config: { bucketName: 7 } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'configurationInvalid' } })
  })

  it('takes digits for a number, and shows them as they were sent', async () => {
    const config = { host: 'h', database: 'd', user: 'u', port: '5432', sslMode: 'disable', useRudderStorage: true }
    const { id } = await created('destination', api.post('/v2/destinations', { name: 'd', type: 'POSTGRES', config }))
    const found = await find('destinations', 'destination', id)
    expect(found.config).toEqual(config)
    expect(found).not.toHaveProperty('problems')
  })

  for (const [type, config] of [
    ['BQ', { project: 'project', bucketName: 'bucket', credentials: 'x' }],
    ['RS', { host: 'h', port: '5439', database: 'd', user: 'u', password: 'p' }],
  ] as const)
    it(`keeps the name of its type: ${type}`, async () => {
      const { id } = await created('destination', api.post('/v2/destinations', { name: 'd', type, config }))
      expect(await find('destinations', 'destination', id)).toMatchObject({ type })
    })
})

it('definitions list the names that RudderStack has for types', async () => {
  const listed = (await api.get('/destination-definitions')).body as unknown as readonly {
    type: string
    otherTypes?: string[]
  }[]
  expect(listed.flatMap(({ type, otherTypes }) => (otherTypes ? [[type, ...otherTypes]] : []))).toEqual([
    ['BIGQUERY', 'BQ'],
    ['REDSHIFT', 'RS'],
    ['DATABRICKS', 'DELTALAKE'],
  ])
})
