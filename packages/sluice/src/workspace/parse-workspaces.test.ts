import { builtInDestinations, createDestinationRegistry } from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { parseWorkspaces } from './parse-workspaces.ts'
import { type Problem, WorkspaceFileError } from './problem.ts'

const context = { destinations: createDestinationRegistry(builtInDestinations), env: { TOKEN: 'plain-token' } }
const good = {
  id: 'w',
  sources: [{ id: 's', writeKey: 'k' }],
  destinations: [{ id: 'd', type: 'webhook', settings: { webhookUrl: 'http://x.test' } }],
  connections: [{ source: 's', destination: 'd' }],
}
const parse = (...workspaces: readonly object[]) => parseWorkspaces({ workspaces }, context)

function problemsOf(...workspaces: readonly object[]): readonly Problem[] {
  try {
    parse(...workspaces)
  } catch (error) {
    if (error instanceof WorkspaceFileError) return error.problems
    throw error
  }
  return []
}

describe('parsing workspaces', () => {
  it('fills in names, enabled and the defaults of settings', () => {
    expect(parse(good)[0]).toMatchObject({
      name: 'w',
      sources: [{ id: 's', name: 's', enabled: true }],
      destinations: [{ name: 'd', type: 'WEBHOOK', enabled: true, settings: { webhookMethod: 'POST' } }],
      connections: [{ sourceId: 's', destinationId: 'd' }],
    })
  })

  it('keeps tokens as hashes only', () => {
    const sha256 = 'a'.repeat(64)
    const tokens = [
      { name: 'one', token: `sha256:${sha256}` },
      { name: 'two', token: 'env:TOKEN' },
    ]
    const [workspace] = parse({ ...good, accessTokens: tokens })
    expect(workspace?.accessTokens[0]).toEqual({ name: 'one', sha256 })
    expect(workspace?.accessTokens[1]?.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(workspace)).not.toContain('plain-token')
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

  it('names every problem of form at once', () => {
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

  it('names every wrong reference, setting and duplicate at once', () => {
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
        connections: [{ source: 'nobody', destination: 'nowhere' }],
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
        ['workspaces[0].connections[0].source', '"nobody"'],
        ['workspaces[0].connections[0].destination', '"nowhere"'],
        ['workspaces[1].sources[0].writeKey', '(hidden)'],
      ]),
    )
    for (const { allowed } of problems) expect(allowed).not.toBe('')
  })

  it('shows no secret in a problem', () => {
    const settings = { webhookUrl: 'http://x.test', headers: 'X-Key: 4711' }
    const problems = problemsOf({
      ...good,
      accessTokens: [{ name: 't', token: 'plain-secret' }],
      sources: [{ id: 's', writeKey: ['k-secret'] }],
      destinations: [{ id: 'd', type: 'WEBHOOK', settings }],
    })
    const more = problemsOf({ ...good, destinations: [{ id: 'd', type: 'WEBHOOK', settings }] })
    expect([problems.length, more.length]).toEqual([2, 1])
    expect(JSON.stringify([problems, more])).not.toMatch(/secret|4711/)
  })
})
