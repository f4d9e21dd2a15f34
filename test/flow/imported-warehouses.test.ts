import { importRudderStack, inOneForm, parseWorkspaces } from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'
import { builtInDestinations, createDestinationRegistry } from '@sluice/destinations'
import { warehouseDestinations } from '@sluice/warehouse'
import { describe, expect, it } from 'vitest'

// Settings as RudderStack's public sample configurations have them.

const registry = createDestinationRegistry([...builtInDestinations, ...warehouseDestinations()])
/** What every warehouse of a sample has. */
const usual = {
  connectionMode: { web: 'cloud' },
  namespace: 'events',
  syncFrequency: '180',
  skipTracksTable: false,
  skipUsersTable: true,
  allowUsersContextTraits: false,
  underscoreDivideNumbers: false,
  cleanupObjectStorageFiles: false,
}
const database = { host: 'db.test', port: '5439', database: 'analytics', user: 'loader', password: 'secret' }

function exported(type: string, config: JsonObject) {
  const destinations = [{ id: 'd', name: 'House', destinationDefinition: { name: type }, config }]
  return { sources: [{ id: 's', writeKey: 'k', sourceDefinition: { name: 'Javascript' }, destinations }] }
}

function imported(type: string, config: JsonObject) {
  const { workspace, notes } = importRudderStack([exported(type, config)], registry)
  const { problems, workspaces } = parseWorkspaces(inOneForm(workspace), { destinations: registry, env: {} })
  return {
    problems: problems.map(({ path }) => path.replace('workspaces[0].destinations[0].', '')),
    destination: workspaces[0]?.destinations[0],
    notes: notes.map(({ outcome, text }) => `${outcome}: ${text}`),
  }
}

describe('a warehouse of RudderStack', () => {
  const cases: readonly (readonly [string, JsonObject, string, JsonObject])[] = [
    ['RS', { ...usual, ...database, preferAppend: true }, 'REDSHIFT', { port: 5_439, loadMode: 'append' }],
    ['POSTGRES', { ...usual, ...database, preferAppend: false, sslMode: 'disable' }, 'POSTGRES', { loadMode: 'merge' }],
    [
      'BQ',
      {
        ...usual,
        project: 'shop-events',
        location: 'US',
        credentials: '{"client_email":"a@b.test","private_key":"-----BEGIN PRIVATE KEY-----"}',
      },
      'BIGQUERY',
      { project: 'shop-events', location: 'US' },
    ],
    [
      'DELTALAKE',
      {
        ...usual,
        host: 'dbc-1.cloud.databricks.com',
        path: '/sql/1.0/warehouses/0123abc',
        token: 't',
        catalog: 'main',
      },
      'DATABRICKS',
      { path: '/sql/1.0/warehouses/0123abc', catalog: 'main' },
    ],
  ]
  for (const [type, config, ours, settings] of cases)
    it(`comes along with its settings: ${type}`, () => {
      const { problems, destination, notes } = imported(type, config)
      expect([problems, notes]).toEqual([[], []])
      expect(destination).toMatchObject({
        type: ours,
        enabled: true,
        settings: { namespace: 'events', syncSeconds: 10_800, ...settings },
      })
      const served = parseWorkspaces(inOneForm(exported(type, config)), { destinations: registry, env: {} })
      expect(served.workspaces[0]?.destinations[0]?.settings).toMatchObject(destination?.settings ?? {})
    })

  it('comes along where the name of a setting is another one, and the report says what is different', () => {
    const { port: _, ...server } = database
    const { problems, destination, notes } = imported('CLICKHOUSE', { ...server, port: '9440', secure: true })
    expect([problems, destination?.settings]).toMatchObject([[], { namespace: 'analytics', port: 8_443, secure: true }])
    expect(notes).toEqual(['check: port 9440 became 8443, because Sluice uses the HTTP interface of ClickHouse'])
  })

  it('is reported with a reason for each setting that is left out', () => {
    const config = {
      ...usual,
      ...database,
      bucketProvider: 'S3',
      bucketName: 'b',
      syncStartAt: '01:00',
      useRudderStorage: true,
    }
    expect(imported('RS', config).notes).toEqual([
      'check: settings left out, because Sluice loads without a bucket: bucketProvider, bucketName, useRudderStorage',
      'check: settings left out, because a load begins after syncSeconds or syncEvents: syncStartAt',
    ])
  })

  it('is disabled where Sluice cannot reach it, with what to do', () => {
    const { destination, notes } = imported('POSTGRES', { ...usual, ...database, useSSH: true, sshHost: 'jump.test' })
    expect(destination?.enabled).toBe(false)
    expect(notes).toEqual([
      'check: settings left out, because Sluice opens no SSH tunnel: useSSH, sshHost',
      'disabled: it is reached through an SSH tunnel, which Sluice does not open; make it reachable, then enable it',
    ])
  })

  it('is reported with the settings that have to be written', () => {
    const { problems, notes } = imported('SNOWFLAKE', {
      ...usual,
      account: 'a-b',
      database: 'D',
      warehouse: 'W',
      user: 'u',
    })
    expect(problems).toEqual(['settings.privateKey'])
    expect(notes).toEqual([expect.stringMatching(/^check: write into its settings: privateKey \(/)])
  })
})
