import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type CommandResult, runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-import-'))
})
afterAll(() => rmSync(cwd, { recursive: true }))

const write = (file: string, content: unknown): void => writeFileSync(join(cwd, file), JSON.stringify(content))
const run = (...args: readonly string[]): Promise<CommandResult> => runHosted(['import', ...args], { cwd, env: {} })

interface Imported {
  readonly workspace: {
    readonly sources: readonly object[]
    readonly destinations: readonly object[]
    readonly connections: readonly object[]
  }
  readonly notes: readonly {
    readonly outcome: string
    readonly kind: string
    readonly name: string
    readonly text: string
  }[]
  readonly variables: readonly { readonly name: string; readonly what: string }[]
}
const imported = async (...args: readonly string[]): Promise<Imported> =>
  JSON.parse((await run(...args, '--json')).stdout) as Imported

const destination = (id: string, type: string, config: object, more: object = {}) => ({
  id,
  name: `My ${id}`,
  enabled: true,
  config,
  destinationDefinition: { name: type },
  ...more,
})
const rudder = {
  workspaceId: 'ws',
  sources: [
    {
      id: 's1',
      name: 'Web (EU)',
      writeKey: 'web-write-key',
      enabled: true,
      sourceDefinition: { name: 'Javascript', category: null },
      dgSourceTrackingPlanConfig: { trackingPlan: { id: 'tp' } },
      destinations: [
        destination('hook', 'WEBHOOK', {
          webhookUrl: 'http://hook.test',
          headers: [{ from: 'X-Key', to: 'planted-header' }],
          oneTrustCookieCategories: [{ oneTrustCookieCategory: 'C1' }],
          connectionMode: { web: 'cloud' },
        }),
        destination('code', 'WEBHOOK', { webhookUrl: 'http://code.test' }, { transformations: [{ versionId: 'v' }] }),
        destination('device', 'GA4', { apiSecret: 'planted-ga4', connectionMode: { web: 'device' } }),
        destination('odd', 'ODD_TYPE', { apiKey: 'planted-odd' }),
        destination('gone', 'WEBHOOK', {}, { deleted: true }),
      ],
    },
    {
      id: 's2',
      name: 'Stripe',
      writeKey: 'planted-2',
      sourceDefinition: { name: 'stripe', category: 'singer-protocol' },
      destinations: [],
    },
  ],
  libraries: [{ versionId: 'lib' }],
}

describe('sluice import rudderstack', () => {
  it('turns workspaceConfig.json into a file that check accepts, and reports what has no counterpart', async () => {
    write('workspaceConfig.json', rudder)
    const { status, stdout, stderr } = await runCommand(
      ['import', 'rudderstack', 'workspaceConfig.json', '--out', 'out'],
      { cwd },
    )
    expect([status, stdout]).toEqual([0, ''])
    expect(stderr.split('\n')).toEqual([
      `wrote ${join('out', 'workspace.yaml')}: 1 source, 3 destinations, 3 connections`,
      expect.stringMatching(/^ {2}left out: source Stripe: its events are fetched/),
      expect.stringMatching(/^ {2}disabled: destination My code: .*whose code is not in the export/),
      expect.stringMatching(/^ {2}disabled: destination My device: device mode only/),
      expect.stringMatching(/^ {2}left out: destination My odd: Sluice has no destination type ODD_TYPE/),
      expect.stringMatching(/^ {2}left out: library lib: /),
      expect.stringMatching(/^ {2}left out: tracking plan of source Web \(EU\)/),
      'set these variables before you serve or apply it (.env.example lists them):',
      '  MY_HOOK_HEADERS_0_TO  destination My hook: settings.headers[0].to',
      '  MY_DEVICE_API_SECRET  destination My device: settings.apiSecret',
      '',
    ])
    const text = readFileSync(join(cwd, 'out/workspace.yaml'), 'utf8')
    expect(text).toMatch(/^# yaml-language-server: \$schema=/)
    expect(stdout + stderr + text).not.toContain('planted-')
    expect(parse(text)).toMatchObject({
      id: 'ws',
      sources: [{ writeKey: 'web-write-key' }],
      destinations: [
        { id: 'hook', settings: { oneTrustCookieCategories: [{ oneTrustCookieCategory: 'C1' }] } },
        { id: 'code', enabled: false },
        { id: 'device', enabled: false },
      ],
    })
    expect(readFileSync(join(cwd, 'out/.env.example'), 'utf8')).toBe(
      '# destination My hook: settings.headers[0].to\nMY_HOOK_HEADERS_0_TO=\n# destination My device: settings.apiSecret\nMY_DEVICE_API_SECRET=\n',
    )
    expect(statSync(join(cwd, 'out/workspace.yaml')).mode & 0o777).toBe(0o600)
    expect(await runHosted(['check', 'out'], { cwd })).toMatchObject({ status: 0 })
    expect(await run('rudderstack', 'workspaceConfig.json', '--out', 'out')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--force'),
    })
  })

  it('keeps secrets with --with-secrets', async () => {
    write('workspaceConfig.json', rudder)
    const { workspace, variables } = await imported('rudderstack', 'workspaceConfig.json', '--with-secrets')
    expect(variables).toEqual([])
    expect(workspace).toMatchObject({
      sources: [{ writeKey: 'web-write-key' }],
      destinations: [{ settings: { headers: [{ from: 'X-Key', to: 'planted-header' }] } }, {}, {}],
    })
  })

  it('joins the lists of the API, of several files and pages', async () => {
    write('sources.json', {
      sources: [{ id: 's', name: 'Web', type: 'Javascript', writeKey: 'k', enabled: false }],
      paging: {},
    })
    write('destinations.json', [
      {
        destinations: [
          { id: 'd', name: 'Hook', type: 'WEBHOOK', enabled: true, config: { webhookUrl: 'http://h.test' } },
        ],
      },
    ])
    write('connections.json', { connections: [{ id: 'c', sourceId: 's', destinationId: 'd', enabled: false }] })
    const { workspace, notes } = await imported('rudderstack', 'sources.json', 'destinations.json', 'connections.json')
    expect(notes).toEqual([])
    expect(workspace).toMatchObject({
      sources: [{ id: 's', enabled: false }],
      destinations: [{ id: 'd', type: 'WEBHOOK' }],
      connections: [{ source: 's', destination: 'd', enabled: false }],
    })
  })
})

const segment = {
  sources: [
    {
      id: 'sid',
      slug: 'web_prod',
      name: 'Web',
      workspaceId: 'wsp',
      enabled: true,
      writeKeys: ['segment-key', 'old'],
      metadata: { slug: 'javascript' },
    },
    { id: 'zen', slug: 'zendesk', name: 'Zendesk', enabled: true, writeKeys: [], metadata: { slug: 'zendesk' } },
  ],
  destinations: [
    {
      id: 'amp',
      name: 'Amplitude',
      enabled: false,
      sourceId: 'sid',
      metadata: { slug: 'amplitude' },
      settings: {
        apiKey: '••••••••••7050',
        secretKey: '',
        trackAllPages: true,
        endpoint: 'Europe',
        trackUtmProperties: true,
        traitsToSetOnce: [],
      },
    },
    {
      id: 'act',
      name: 'Hooks',
      enabled: true,
      sourceId: 'sid',
      metadata: { slug: 'actions-webhook' },
      settings: { sharedSecret: 'planted-shared', endpoint: 'eu' },
    },
    {
      id: 'none',
      name: 'Nothing',
      enabled: true,
      sourceId: 'sid',
      metadata: { slug: 'unknown-one' },
      settings: { apiKey: 'planted-none' },
    },
  ],
  subscriptions: [
    {
      id: 'sub',
      destinationId: 'act',
      actionSlug: 'send',
      trigger: 'type = "track"',
      enabled: true,
      settings: { url: 'http://x.test' },
    },
  ],
  warehouses: [
    {
      id: 'wh',
      enabled: true,
      metadata: { slug: 'postgres' },
      settings: { hostname: 'db.test', port: 5432, database: 'events', username: 'u', password: 'planted-password' },
    },
  ],
  functions: [{ id: 'f', displayName: 'Function' }],
  trackingPlans: [{ id: 'tp', name: 'Plan' }],
}
const wanted = {
  workspace: {
    id: 'wsp',
    destinationPackages: ['@sluice/segment-actions'],
    sources: [{ id: 'web_prod', name: 'Web', type: 'javascript', writeKey: 'segment-key' }],
    destinations: [
      {
        id: 'amp',
        type: 'AM',
        enabled: false,
        settings: { apiKey: 'env:AMPLITUDE_API_KEY', trackAllPages: true, residencyServer: 'EU' },
      },
      {
        id: 'act',
        type: 'segment/webhook',
        settings: {
          sharedSecret: 'env:HOOKS_SHARED_SECRET',
          endpoint: 'eu',
          subscriptions: [
            { action: 'send', preset: null, subscribe: 'type = "track"', mapping: { url: 'http://x.test' } },
          ],
        },
      },
      { id: 'wh', type: 'POSTGRES', settings: { host: 'db.test', port: 5432, user: 'u', password: 'env:WH_PASSWORD' } },
    ],
    connections: [
      { source: 'web_prod', destination: 'amp' },
      { source: 'web_prod', destination: 'act' },
    ],
  },
}
const segmentNotes = [
  'source Web',
  'source Zendesk',
  'destination Amplitude',
  'destination Nothing',
  'function f',
  'tracking plan Plan',
  'warehouse wh',
]

describe('sluice import segment', () => {
  it('reads answers of the Public API, with variables for what it masks', async () => {
    for (const [list, items] of Object.entries(segment))
      write(`${list}.json`, { data: { [list]: items, pagination: {} } })
    const files = Object.keys(segment).map((list) => `${list}.json`)
    const result = await imported('segment', ...files)
    expect(result).toMatchObject(wanted)
    expect(result.notes.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([...segmentNotes].sort())
    expect(JSON.stringify(result)).not.toContain('planted-')
    const kept = await imported('segment', ...files, '--with-secrets')
    expect(kept.workspace).toMatchObject({ sources: [{ writeKey: 'segment-key' }] })
    expect(kept.variables.map(({ name }) => name)).toEqual(['AMPLITUDE_API_KEY'])
  })

  const attributes = (each: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(each).map(([key, value]) => [
        key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        key === 'settings' ? JSON.stringify(value) : value,
      ]),
    )
  const types: Readonly<Record<string, string>> = {
    sources: 'segment_source',
    destinations: 'segment_destination',
    subscriptions: 'segment_destination_subscription',
    warehouses: 'segment_warehouse',
    functions: 'segment_function',
    trackingPlans: 'segment_tracking_plan',
  }
  const resources = Object.entries(segment).flatMap(([list, items]) =>
    items.map((each) => ({ mode: 'managed', type: types[list], name: each.id, values: attributes(each) })),
  )
  const forms = {
    'the state of the Terraform provider': {
      version: 4,
      terraform_version: '1.9.0',
      lineage: 'x',
      resources: resources.map(({ values, ...resource }) => ({ ...resource, instances: [{ attributes: values }] })),
    },
    'what terraform show -json prints': {
      format_version: '1.0',
      terraform_version: '1.9.0',
      values: { root_module: { resources: resources.slice(0, 3), child_modules: [{ resources: resources.slice(3) }] } },
    },
  }
  for (const [name, form] of Object.entries(forms))
    it(`reads ${name}`, async () => {
      write('terraform.json', form)
      expect(await imported('segment', 'terraform.json')).toMatchObject(wanted)
    })
})

describe('an export that is none', () => {
  const mistakes: readonly (readonly [string, string, RegExp])[] = [
    ['is not JSON', '{"apiKey": "planted-secret"', /is not JSON/],
    ['has neither sources nor destinations', '{"apiKey": "planted-secret"}', /no sources or destinations found/],
  ]
  for (const [name, text, expected] of mistakes)
    it(`is refused when it ${name}, without its text`, async () => {
      writeFileSync(join(cwd, 'wrong.json'), text)
      for (const product of ['rudderstack', 'segment']) {
        const { status, stdout, stderr } = await run(product, 'wrong.json')
        expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(expected)])
        expect(stderr).not.toContain('planted-')
      }
    })
})
