import type { ConfigurationRecord, RecordKind } from '@sluice/configuration'
import { type JsonObject, systemClock, systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { createMemoryStore } from '@sluice/storage'
import { createSluice, type Sluice, type SluiceOptions } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'

/** Adds to an event whether its code can reach the process, which only trusted code can. */
const code = `export async function transformEvent(event) {
  try {
    await eval("import('node:fs')")
  } catch (error) {
    event.reaches = error.constructor.constructor('return typeof process')()
  }
  return event
}`
type Trust = 'trusted' | 'untrusted'
const workspace = (id: string, trust?: Trust) => ({
  id,
  ...(trust ? { sandbox: { code: trust } } : {}),
  sources: [{ id: 'web', writeKey: `key-${id}` }],
  destinations: [
    { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: `https://${id}.test/` }, transformation: { code } },
  ],
  connections: [{ source: 'web', destination: 'hook' }],
})
const transport = createRecordingTransport(() => reply(200))
const lines: string[] = []
const note = (_: object, text: string): void => {
  lines.push(text)
}
const logger = { trace() {}, debug() {}, info() {}, warn: note, error: note }

let sluice: Sluice
afterEach(() => sluice.stop())

async function start(options: SluiceOptions): Promise<void> {
  lines.length = 0
  sluice = await createSluice({ transport, logger, ...options })
}

/** Returns what the code of a workspace reaches: 'object' in V8, 'undefined' in QuickJS. */
async function reachOf(id: string): Promise<unknown> {
  const result = await sluice.process(`key-${id}`, [{ type: 'track', event: 'Seen', userId: 'u1' }])
  expect(result).toMatchObject({ ok: true, events: [{ destinations: [{ outcome: 'delivered' }] }] })
  const { body } = transport.requests.at(-1) ?? {}
  return (body as { JSON?: { reaches?: unknown } } | undefined)?.JSON?.reaches
}

describe('code of workspaces', () => {
  it('is untrusted unless its own file says otherwise', async () => {
    await start({ workspace: { workspaces: [workspace('a', 'trusted'), workspace('b'), workspace('c', 'untrusted')] } })
    expect([await reachOf('a'), await reachOf('b'), await reachOf('c')]).toEqual(['object', 'undefined', 'undefined'])
    expect(lines).toEqual([expect.stringContaining('user code of these workspaces is trusted and runs in V8')])
  })
  it('is untrusted at once when the file is applied again without the mark', async () => {
    await start({ workspace: workspace('a', 'trusted') })
    expect(await reachOf('a')).toBe('object')
    await sluice.updateWorkspace(uncheckedWorkspace(workspace('a')))
    expect(await reachOf('a')).toBe('undefined')
    await sluice.updateWorkspace(uncheckedWorkspace(workspace('a', 'trusted')))
    expect(await reachOf('a')).toBe('object')
  })
  it('stays as it was when the engine of trusted code does not start', async () => {
    await start({ workspace: workspace('a'), sandbox: { mode: 'in-process' } })
    await expect(sluice.updateWorkspace(uncheckedWorkspace(workspace('a', 'trusted')))).rejects.toThrow(
      'needs the threads of Node',
    )
    expect(await reachOf('a')).toBe('undefined')
  })
  it('stays as it was when a file is refused that marks it', async () => {
    await start({ workspace: workspace('a') })
    const broken = { ...workspace('a', 'trusted') }
    const [hook] = broken.destinations
    const refused = { ...broken, destinations: [{ ...hook, transformation: { code: 'export const = 1' } }] }
    await expect(sluice.updateWorkspace(uncheckedWorkspace(refused))).rejects.toThrow('code that cannot be loaded')
    expect(await reachOf('a')).toBe('undefined')
  })
  it('is trusted when an option names its workspace, or all, but not against its file', async () => {
    await start({ workspace: { workspaces: [workspace('a'), workspace('b')] }, trustedWorkspaces: ['b'] })
    expect([await reachOf('a'), await reachOf('b')]).toEqual(['undefined', 'object'])
    await sluice.stop()
    await start({
      workspace: { workspaces: [workspace('a'), workspace('b', 'untrusted')] },
      sandbox: { code: 'trusted' },
    })
    expect([await reachOf('a'), await reachOf('b')]).toEqual(['object', 'undefined'])
  })
  it('is not trusted because of what is stored through the API, in any workspace', async () => {
    const store = createMemoryStore({ clock: systemClock, random: systemRandom })
    const { id, sandbox, sources, destinations, connections } = workspace('a', 'trusted')
    const record = (kind: RecordKind, { id: own, ...body }: JsonObject & { id: string }) =>
      ({ workspaceId: id, kind, id: own, revision: 1, createdAt: 1, updatedAt: 1, body }) satisfies ConfigurationRecord
    const put = [
      record('workspace', { id, name: id, ...(sandbox ? { sandbox } : {}) }),
      ...sources.map((each) => record('source', each)),
      ...destinations.map((each) => record('destination', each)),
      ...connections.map((each) => record('connection', { id: 'c', ...each })),
    ]
    await store.configuration.commit({ put, remove: [] }, await store.configuration.revision())
    await start({ store })
    expect(sluice.workspaces.map((each) => each.id)).toEqual(['a'])
    expect(lines).toEqual([])
    expect(await reachOf('a')).toBe('undefined')
  })
  it('cannot be trusted where nothing could stop it: the start is refused', async () => {
    const started = createSluice({
      transport,
      workspace: uncheckedWorkspace(workspace('a', 'trusted')),
      sandbox: { mode: 'in-process' },
    })
    await expect(started).rejects.toThrow("sandbox option code 'trusted' needs the threads of Node")
    await start({ workspace: workspace('a') })
  })
})
