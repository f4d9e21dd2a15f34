import { createHash } from 'node:crypto'
import { builtInDestinations, createDestinationRegistry } from '@sluice/destinations'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseWorkspaces } from './parse-workspaces.ts'
import { type Problem, WorkspaceFileError } from './problems/problem.ts'
import { WorkspacesSchema } from './workspace-schema.ts'

const context = {
  destinations: createDestinationRegistry(builtInDestinations),
  env: { TOKEN: 'plain-token-of-some-length' },
}
const good = {
  id: 'w',
  sources: [{ id: 's', writeKey: 'k' }],
  destinations: [{ id: 'd', type: 'webhook', settings: { webhookUrl: 'http://x.test' } }],
  connections: [{ source: 's', destination: 'd', settings: { audienceId: '7' } }],
}
const parse = (...workspaces: readonly object[]) => parseWorkspaces({ workspaces }, context).workspaces
const problemsOf = (...workspaces: readonly object[]): readonly Problem[] =>
  parseWorkspaces({ workspaces }, context).problems

describe('parsing workspaces', () => {
  it('checks with a schema that is a valid JSON Schema', () => {
    expect(new Ajv().validateSchema(WorkspacesSchema)).toBe(true)
  })

  it('fills in names, enabled and the defaults of settings', () => {
    expect(parse(good)[0]).toMatchObject({
      name: 'w',
      sources: [{ id: 's', name: 's', enabled: true }],
      destinations: [{ name: 'd', type: 'WEBHOOK', enabled: true, settings: { webhookMethod: 'POST' } }],
      connections: [{ sourceId: 's', destinationId: 'd', settings: { audienceId: '7' } }],
    })
  })

  it('refuses consent and event lists on a connection, where they have no effect', () => {
    const settings = { consentManagement: [], audienceId: '7' }
    expect(problemsOf({ ...good, connections: [{ source: 's', destination: 'd', settings }] })).toEqual([
      {
        path: 'workspaces[0].connections[0].settings.consentManagement',
        value: 'a list',
        allowed: expect.stringContaining('setting of the destination'),
      },
    ])
  })

  it('trusts code only where the file says so', () => {
    const trustOf = (sandbox?: object) => {
      const definition = { id: 'w', sources: [], destinations: [], connections: [], ...(sandbox ? { sandbox } : {}) }
      return parseWorkspaces({ workspaces: [definition] }, context)
    }
    expect(trustOf({ code: 'trusted' }).workspaces).toMatchObject([{ trustsCode: true }])
    expect(trustOf({ code: 'untrusted' }).workspaces).toMatchObject([{ trustsCode: false }])
    for (const none of [trustOf(), trustOf({})]) expect(none.workspaces[0]?.trustsCode).toBeUndefined()
    expect(trustOf({ code: true }).problems).toMatchObject([{ path: 'workspaces[0].sandbox.code' }])
    expect(trustOf({ mode: 'trusted' }).problems).toMatchObject([{ path: 'workspaces[0].sandbox.mode' }])
  })
  it('stores only hashes of tokens', () => {
    const sha256 = 'a'.repeat(64)
    const tokens = [
      { name: 'one', token: `sha256:${sha256}` },
      { name: 'two', token: 'env:TOKEN' },
    ]
    const [workspace] = parse({ ...good, accessTokens: tokens })
    expect(workspace?.accessTokens[0]).toEqual({
      name: 'one',
      scopes: ['read', 'write', 'operate'],
      sha256,
    })
    expect(workspace?.accessTokens[1]?.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(workspace)).not.toContain('plain-token-of-some-length')
  })

  it('gives a transformation another version when its code or a library changes', () => {
    const version = (code: string, library: string) =>
      parse({
        ...good,
        destinations: [{ ...good.destinations[0], transformation: { code } }],
        libraries: [{ name: 'lib', code: library }],
      })[0]?.destinations[0]?.transformation?.versionId
    expect(version('a', 'x')).toBe(version('a', 'x'))
    expect(new Set([version('a', 'x'), version('b', 'x'), version('a', 'y')]).size).toBe(3)
  })

  it('reports all malformed parts together', () => {
    const paths = problemsOf({
      ...good,
      id: 'has blank',
      sources: [{ id: 's', writeKey: 7, extra: 1 }],
      connections: 'all',
    })
    expect(paths.map(({ path }) => path).sort()).toEqual([
      'workspaces[0].connections',
      'workspaces[0].id',
      'workspaces[0].sources[0].extra',
      'workspaces[0].sources[0].writeKey',
    ])
  })

  it('refuses a token of a variable that is short enough to be guessed, without showing it', () => {
    const given = { ...good, accessTokens: [{ name: 't', token: 'env:SHORT' }] }
    const problemsWith = (value: string) =>
      parseWorkspaces({ workspaces: [given] }, { ...context, env: { SHORT: value } }).problems
    expect(problemsWith('x'.repeat(16))).toEqual([])
    const [problem, ...more] = problemsWith('guess-me')
    expect([problem?.path, more]).toEqual(['workspaces[0].accessTokens[0].token', []])
    expect(problem?.allowed).toContain('16 characters or more')
    expect(JSON.stringify(problem)).not.toContain('guess-me')
  })

  it('reports all wrong references, settings and duplicates together', () => {
    const problems = problemsOf(
      {
        ...good,
        accessTokens: [{ name: 't', token: 'env:NOT_SET' }],
        sources: [...good.sources, { id: 's', writeKey: 'other' }],
        destinations: [
          { id: 'd', type: 'WEBHOOK', settings: { webhookUrl: 'nonsense' } },
          { id: 'e', type: 'CARRIER_PIGEON' },
          { id: 'f', type: 'WEBHOOK', settings: { webhookUrl: 'http://x.test' }, transformation: { name: 'empty' } },
        ],
        connections: [{ source: 'missing', destination: 'nowhere' }],
      },
      { ...good, id: 'v' },
    )
    expect(problems.map(({ path, value }) => [path, value])).toEqual(
      expect.arrayContaining([
        ['workspaces[0].accessTokens[0].token', '"env:NOT_SET"'],
        ['workspaces[0].sources[1].id', '"s"'],
        ['workspaces[0].destinations[0].settings.webhookUrl', expect.any(String)],
        ['workspaces[0].destinations[1].type', '"CARRIER_PIGEON"'],
        ['workspaces[0].destinations[2].transformation', 'neither'],
        ['workspaces[0].connections[0].source', '"missing"'],
        ['workspaces[0].connections[0].destination', '"nowhere"'],
        ['workspaces[1].sources[0].writeKey', '(hidden)'],
      ]),
    )
    for (const { allowed } of problems) expect(allowed).not.toBe('')
  })

  it('checks the other parts when one is malformed', () => {
    const problems = problemsOf({
      ...good,
      name: 7,
      sources: [
        { id: 's', writeKey: 'k:1' },
        { id: 't', writeKey: 'k' },
        { id: 't', writeKey: 'l' },
      ],
      destinations: [...good.destinations, { id: 'e', type: 'NOPE' }, 'nonsense'],
      connections: [
        { source: 's', destination: 'gone' },
        { source: 't', destination: 'd' },
      ],
    })
    expect(problems.map(({ path }) => path).sort()).toEqual([
      'workspaces[0].destinations[1].type',
      'workspaces[0].destinations[2]',
      'workspaces[0].name',
      'workspaces[0].sources[0].writeKey',
      'workspaces[0].sources[2].id',
    ])
  })

  it('checks what is around a misspelt member, and references to and from malformed parts', () => {
    const problems = problemsOf({
      ...good,
      sources: [{ id: 's', writeKey: 'k', trackingPlan: { onViolation: 'dropp', events: [] } }],
      destinations: [...good.destinations, { id: 'e', type: 'NOPE', setings: {} }],
      connections: [
        { source: 's', destination: 'gone' },
        { source: 's', destination: 'e' },
      ],
    })
    expect(problems).toEqual([
      {
        path: 'workspaces[0].sources[0].trackingPlan.onViolation',
        value: '"dropp"',
        allowed: 'one of mark, strip, strip-unplanned, quarantine, drop',
      },
      expect.objectContaining({ path: 'workspaces[0].destinations[1].setings' }),
      expect.objectContaining({ path: 'workspaces[0].destinations[1].type' }),
      { path: 'workspaces[0].connections[0].destination', value: '"gone"', allowed: 'one of d, e' },
    ])
  })

  it('refuses the same access token in two workspaces, also when one comes from a variable', () => {
    const token = `sha256:${createHash('sha256').update('plain-token-of-some-length').digest('hex')}`
    const first = { ...good, accessTokens: [{ name: 'a', token }] }
    const second = { ...good, id: 'v', sources: [], connections: [], accessTokens: [{ name: 'b', token: 'env:TOKEN' }] }
    expect(problemsOf(first, second)).toEqual([
      { path: 'workspaces[1].accessTokens[0].token', value: '(hidden)', allowed: expect.any(String) },
    ])
  })

  const withSecrets: readonly object[] = [
    { ...good, accessTokens: ['SECRET'] },
    { ...good, accessTokens: { t: 'SECRET' } },
    { ...good, accessTokens: [{ name: 't', token: 'SECRET' }] },
    { ...good, accessTokens: 'SECRET' },
    { ...good, sources: { web: 'SECRET' } },
    { ...good, sources: 'SECRET' },
    { ...good, sources: [{ id: 's', writeKey: ['SECRET'] }] },
    { ...good, sources: ['SECRET'] },
    { ...good, destinations: { h: { settings: { headers: 'SECRET' } } } },
    { ...good, destinations: [{ id: 'd', type: 'WEBHOOK', settings: 'SECRET' }] },
    {
      ...good,
      destinations: [{ id: 'd', type: 'WEBHOOK', settings: { webhookUrl: 'http://x.test', headers: 'SECRET' } }],
    },
    {
      ...good,
      destinations: [
        { id: 'd', type: 'WEBHOOK', settings: { webhookUrl: 'ftp://user:SECRET@x.test/SECRET?k=SECRET' } },
      ],
    },
    { ...good, destinations: [{ id: 'd', type: 'WEBHOOK', settings: { webhookUrl: { SECRETS: 'SECRET' } } }] },
    { ...good, libraries: { a: 'SECRET' } },
  ]
  withSecrets.forEach((workspace, i) => {
    it(`shows no secret in a problem, variant ${i + 1}`, () => {
      const problems = problemsOf(workspace)
      expect(problems.length).toBeGreaterThan(0)
      expect(new WorkspaceFileError(problems).message).not.toContain('SECRET')
    })
  })
})
