import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StatsAnswer } from '@sluice/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'

/** By which the page shows that a request is its own. */
const page = { 'x-sluice-studio': '1' }

describe('sluice serve --demo', () => {
  let folder: string
  let running: RunningCommand
  let url: string
  let cookie: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-demo-test-'))
    // Files of the demonstration come and go in the folder for temporary ones, which is one of this test alone.
    const env = { TMPDIR: folder }
    running = startCommand(['serve', '--demo', '--port', '0'], { cwd: folder, env })
    const [, link = '', code = ''] = await running.printed(/(http:\S+)\/studio\/#code=(\S+)/)
    url = link
    const signedIn = await fetch(`${url}/studio/session`, {
      method: 'POST',
      headers: { ...page, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  })
  afterAll(async () => {
    running?.child.kill('SIGKILL')
    await running?.ended
    rmSync(folder, { recursive: true })
  })

  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${url}${path}`, { headers: { ...page, cookie } })).json()) as T

  it('has a day of events, accounts for each of them, and has every kind of trouble', async () => {
    const { workspaces } = await get<StatsAnswer>('/v1/stats')
    const [{ sources } = { sources: [] }] = workspaces
    expect(sources.reduce((sum, { accepted }) => sum + accepted, 0)).toBeGreaterThan(5_000)
    const reasons = new Set<string>()
    let waiting = 0
    for (const { destinations } of sources)
      for (const { accepted, replayed, delivered, dropped, failed, pending } of destinations) {
        const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0)
        expect(accepted + replayed).toBe(delivered + sum(dropped) + sum(failed) + pending)
        for (const reason of Object.keys(failed)) reasons.add(reason)
        waiting += pending
      }
    expect([...reasons].sort()).toEqual(['deliver.refused', 'transform.threw'])
    expect(waiting).toBeGreaterThan(20)
  })

  it('says that it is a demonstration, and sends nothing', async () => {
    const { workspace } = await get<{ workspace: { name: string } }>('/studio/session')
    expect(workspace.name).toContain('demonstration')
    await running.printed(/nothing is sent to anyone/)
  })

  it('leaves nothing behind when it is stopped', async () => {
    running.child.kill('SIGTERM')
    await running.ended
    expect(readdirSync(folder)).toEqual([])
  })

  it('is no way to serve a workspace of one’s own', async () => {
    const { status, stderr } = await runCommand(['serve', '--demo', '--workspace', 'mine.yaml'], { cwd: folder })
    expect([status, stderr]).toEqual([1, expect.stringContaining("option '--demo' cannot be used")])
  })
})
