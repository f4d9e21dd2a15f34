import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type CommandResult, runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-check-'))
})
afterAll(() => rmSync(cwd, { recursive: true }))

function write(file: string, text: string): void {
  mkdirSync(join(cwd, file, '..'), { recursive: true })
  writeFileSync(join(cwd, file), text)
}
const sluice = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> =>
  runHosted(args, { cwd, env })

interface Checked {
  readonly ok: boolean
  readonly problems: readonly {
    readonly path: string
    readonly value: string
    readonly allowed: string
    readonly file?: string
    readonly line?: number
    readonly column?: number
  }[]
  readonly notes: readonly { readonly at: string; readonly path: string; readonly text: string }[]
  readonly unset: readonly string[]
}
async function checked(path: string, env: NodeJS.ProcessEnv = {}): Promise<Checked & { readonly text: string }> {
  const { stdout, stderr } = await sluice(['check', path, '--json'], env)
  return { ...(JSON.parse(stdout) as Checked), text: stdout + stderr }
}

const faulty = `$schema: ./workspace.schema.json
id: shop
sources:
  - id: web
    writeKey: web-key
    wrietKey: other
destinations:
  - id: hook
    type: WEBHOK
    settings: {}
  - id: crm
    type: WEBHOOK
    settings:
      webhookUrl: https://hook.test/in
      webhookMethod: PUTT
connections:
  - { source: web, destination: hok }
`

describe('sluice check', () => {
  it('shows every problem with file, line, column, value and what is allowed, and ends with status 2', async () => {
    write('faulty.yaml', faulty)
    const { status, stdout } = await runCommand(['check', 'faulty.yaml'], { cwd })
    expect(status).toBe(2)
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^faulty\.yaml:6:5 sources\[0\]\.wrietKey: got an unknown member; allowed: writeKey \(similar\), or one of id, /,
      ),
      expect.stringMatching(
        /^faulty\.yaml:9:11 destinations\[0\]\.type: got "WEBHOK"; allowed: WEBHOOK \(similar\), or one of /,
      ),
      'faulty.yaml:15:22 destinations[1].settings.webhookMethod: got "PUTT"; allowed: one of POST, PUT, PATCH, GET, DELETE',
      'faulty.yaml:17:33 connections[0].destination: got "hok"; allowed: one of hook, crm',
      '',
      '4 problems',
      '',
    ])
  })

  it('finds the places in JSON, in lists of workspaces and behind aliases', async () => {
    const shop = { id: 'shop', sources: [{ id: 'web' }], destinations: [], connections: [] }
    write('list.json', JSON.stringify({ workspaces: [shop] }, null, 2))
    expect((await checked('list.json')).problems).toMatchObject([
      { path: 'workspaces[0].sources[0].writeKey', value: 'nothing', file: 'list.json', line: 6, column: 9 },
    ])
    write(
      'alias.yaml',
      `id: shop
sources: []
connections: []
destinations:
  - { id: a, type: WEBHOOK, settings: &same { webhookUrl: nowhere } }
  - { id: b, type: WEBHOOK, settings: *same }
`,
    )
    expect((await checked('alias.yaml')).problems).toMatchObject([
      { path: 'destinations[0].settings.webhookUrl', line: 5, column: 59 },
      { path: 'destinations[1].settings.webhookUrl', line: 5, column: 59 },
    ])
  })

  it('is what serve refuses, in the same words', async () => {
    write('faulty.yaml', faulty)
    const { status, stderr } = await runCommand(['serve', '--workspace', 'faulty.yaml', '--port', '0'], { cwd })
    const { stdout } = await sluice(['check', 'faulty.yaml'])
    expect(status).toBe(1)
    for (const line of stdout.split('\n').slice(0, 4)) expect(stderr).toContain(`  ${line}\n`)
  })

  it('reports all mistakes of YAML with their places and without the text around them', async () => {
    write('broken.yaml', 'id: shop\npassword: "planted-secret\nsources: [a, planted-secret\n')
    const { problems, text } = await checked('broken.yaml')
    expect(problems[0]).toMatchObject({ file: 'broken.yaml', line: expect.any(Number), column: expect.any(Number) })
    expect(text).not.toContain('planted-secret')
  })

  it('knows consent and event lists of every type, and refuses a variable in their place, set or not', async () => {
    const gates = (consents: string): string => `id: shop
sources: [{ id: web, writeKey: k }]
destinations:
  - id: hook
    type: WEBHOOK
    settings:
      webhookUrl: https://hook.test
      consentManagement: ${consents}
      eventFilteringOption: whitelistedEvents
      whitelistedEvents: [{ eventName: Seen }]
connections: [{ source: web, destination: hook }]
`
    write('gates.yaml', gates('[{ provider: oneTrust, consents: [{ consent: "env:CATEGORY" }] }]'))
    expect(await checked('gates.yaml')).toMatchObject({ ok: true, notes: [], unset: ['CATEGORY'] })
    write('gates.yaml', gates('env:HOOK_CONSENT_MANAGEMENT'))
    for (const env of [{}, { HOOK_CONSENT_MANAGEMENT: '[{"provider":"oneTrust","consents":[{"consent":"C1"}]}]' }])
      expect((await checked('gates.yaml', env)).problems).toMatchObject([
        {
          path: 'destinations[0].settings.consentManagement',
          value: '"env:HOOK_CONSENT_MANAGEMENT"',
          allowed: expect.stringContaining('written out'),
          line: 8,
        },
      ])
  })

  it('takes variables that are not set for valid, and names them; their values are never shown', async () => {
    write(
      'variables.yaml',
      `id: shop
accessTokens: [{ name: ci, token: "env:CI_TOKEN" }]
sources: [{ id: web, writeKey: "env:WEB_KEY" }]
destinations:
  - { id: hook, type: WEBHOOK, settings: { webhookUrl: "env:HOOK_URL", headers: [{ from: X-Key, to: "env:HOOK_KEY" }] } }
connections: [{ source: web, destination: hook }]
credentials: { geo: "env:GEO_KEY" }
`,
    )
    const { ok, unset } = await checked('variables.yaml')
    expect([ok, unset]).toEqual([true, ['GEO_KEY', 'WEB_KEY', 'HOOK_URL', 'HOOK_KEY', 'CI_TOKEN']])
    const set = await checked('variables.yaml', {
      HOOK_URL: 'planted-secret',
      HOOK_KEY: 'planted-secret',
      WEB_KEY: 'planted:secret',
      CI_TOKEN: 'planted-secret-token',
      GEO_KEY: 'planted-secret',
    })
    expect(set.problems).toMatchObject([
      { path: 'sources[0].writeKey', value: '"env:WEB_KEY"', line: 3 },
      { path: 'destinations[0].settings.webhookUrl', value: '"env:HOOK_URL"', line: 5 },
    ])
    expect(set.text).not.toMatch(/planted.secret/)
  })

  it('loads code, and refuses settings that a type does not have', async () => {
    write(
      'code.yaml',
      `id: shop
sources: []
connections: []
destinations:
  - id: hook
    type: WEBHOOK
    settings: { webhookUrl: "https://hook.test", webhookMetod: PUT }
    transformation: { file: broken.js }
`,
    )
    write('broken.js', 'export const transformEvent = (event) => {{\n')
    const { problems, notes } = await checked('code.yaml')
    expect(problems).toMatchObject([
      {
        path: 'destinations[0].settings.webhookMetod',
        value: 'an unknown member',
        allowed: expect.stringMatching(/^webhookMethod \(similar\), or one of webhookUrl, /),
        line: 7,
        column: 50,
      },
      { path: 'destinations[0].transformation', value: expect.stringContaining('SyntaxError'), line: 2 },
    ])
    expect(notes).toEqual([])
  })

  it('accepts settings that a type does not have with --lenient, or where the workspace says so, and notes them', async () => {
    const text = (more: string): string =>
      `id: shop\n${more}sources: []\nconnections: []\ndestinations: [{ id: log, type: CONSOLE, settings: { colour: red } }]\n`
    write('strict.yaml', text(''))
    write('lenient.yaml', text('lenient: true\n'))
    const path = 'destinations[0].settings.colour'
    expect(await checked('strict.yaml')).toMatchObject({ ok: false, problems: [{ path, line: 4 }], notes: [] })
    const note = { path, text: expect.stringMatching(/^it has no effect; allowed: one of /) }
    expect(await checked('lenient.yaml')).toMatchObject({ ok: true, notes: [{ ...note, at: 'lenient.yaml:5:54' }] })
    const { status, stdout } = await sluice(['check', 'strict.yaml', '--lenient', '--json'])
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { ok: true, notes: [note] }])
  })

  it('says what to do about a path without a workspace', async () => {
    mkdirSync(join(cwd, 'empty'), { recursive: true })
    for (const path of ['gone.yaml', 'empty']) {
      const { status, stdout } = await sluice(['check', path])
      expect([status, stdout]).toEqual([
        2,
        expect.stringMatching(/allowed: (a file that can be read|one with workspace)/),
      ])
    }
  })
})

describe('a folder of rudder-cli', () => {
  const resource = (kind: string, spec: object, version = 'rudder/v1'): string =>
    JSON.stringify({ version, kind, metadata: { name: 'any' }, spec }, null, 2)

  it('is checked with the places in its files, beside a workspace file that adds to it', async () => {
    write(
      'iac/sources/web.yaml',
      resource('event-stream-source', {
        id: 'web',
        name: 'Web shop',
        type: 'javascript',
        governance: { validations: { tracking_plan: '#tracking-plan:shop', config: {} } },
      }),
    )
    write(
      'iac/plan.yaml',
      resource('tracking-plan', {
        id: 'shop',
        display_name: 'Shop',
        rules: [{ type: 'event_rule', id: 'r', event: '#event:gone' }],
      }),
    )
    write(
      'iac/hook.yaml',
      resource('destination', {
        id: 'hook',
        display_name: 'Hook',
        type: 'webhook',
        config: { webhook_url: '{{ .HOOK_URL }}', webhook_method: 'PUTT' },
      }),
    )
    write(
      'iac/links.yaml',
      resource('event-stream-connections', {
        connections: [{ id: 'c', source: '#event-stream-source:web', destination: '#destination:hook' }],
      }),
    )
    write('iac/retl.yaml', resource('retl-source-sql-model', { id: 'm' }))
    write('iac/workspace.yaml', 'id: shop\nsources: [{ id: web, writeKey: own-key }]\n')
    write('iac/.github/ci.yaml', 'version: rudder/v1\nkind: broken: yaml\n')
    const { problems, notes, unset } = await checked('iac')
    expect(problems).toMatchObject([
      { path: 'spec.rules[0]', value: 'gone', file: join('iac', 'plan.yaml'), line: 11 },
      { path: 'spec.config.webhook_method', value: '"PUTT"', file: join('iac', 'hook.yaml'), line: 13 },
    ])
    expect(unset).toEqual(['HOOK_URL'])
    expect(notes.map(({ text }) => text)).toEqual(['retl-source-sql-model: Sluice has no counterpart'])
  })
})

describe('the JSON Schema of workspace files', () => {
  it('is in the package, and is what the command prints', async () => {
    const { stdout } = await sluice(['schema'])
    const packaged = readFileSync(join(import.meta.dirname, '../../packages/sluice/dist/workspace.schema.json'), 'utf8')
    expect(stdout).toBe(packaged)
    const [first] = readFileSync(
      join(import.meta.dirname, '../../packages/sluice/template/workspace.yaml'),
      'utf8',
    ).split('\n')
    expect(first).toBe('# yaml-language-server: $schema=./node_modules/sluice/dist/workspace.schema.json')
  })

  it('takes what serve takes, with the settings of each type, and refuses what it refuses', async () => {
    const ajv = new Ajv({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const validate = ajv.compile(JSON.parse((await sluice(['schema'])).stdout) as object)
    const problemsOf = (text: string): readonly string[] => {
      validate(parse(text))
      return (validate.errors ?? []).map(({ instancePath }) => instancePath)
    }
    const template = readFileSync(join(import.meta.dirname, '../../packages/sluice/template/workspace.yaml'), 'utf8')
    expect(problemsOf(template)).toEqual([])
    expect(problemsOf(template.replace('https://hook.test/in', 'env:HOOK_URL'))).toEqual([])
    expect(problemsOf(template.replace('type: WEBHOOK', 'type: OWN_TYPE'))).toEqual([])
    expect(problemsOf(template.replace('https://hook.test/in', '{ a: 1 }'))).toContain(
      '/destinations/1/settings/webhookUrl',
    )
    expect(problemsOf(template.replace('webhookUrl', 'webhookMethod'))).toContain('/destinations/1/settings')
    expect(problemsOf(template.replace('writeKey', 'key'))).toContain('/sources/0')
    expect(problemsOf(JSON.stringify({ $schema: './x.json', workspaces: [parse(template)] }))).toEqual([])
  })
})
