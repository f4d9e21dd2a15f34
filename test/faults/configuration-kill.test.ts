import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { expect, it, onTestFinished } from 'vitest'

const workspace = { id: 'shop', sources: [], destinations: [], connections: [] }

it('a process that is killed in the middle of changes has each of them whole or not at all when it starts again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-killed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'sluice.db')
  for (const round of [1, 2]) {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../support/processes/changing-program.mjs'), path, String(round)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let acknowledged = 0
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        acknowledged += text.split('\n').length - 1
        if (acknowledged >= 5) child.kill('SIGKILL')
      })
      child.once('exit', () => resolve()).once('error', reject)
    })
    expect(acknowledged).toBeGreaterThanOrEqual(5)
    const store = await openSqliteStore({ path, clock: systemClock, random: systemRandom })
    const sluice = await createSluice({ workspace, store })
    const ids = (kind: 'source' | 'destination' | 'connection') =>
      sluice.configuration.list('shop', kind).map(({ id }) => id)
    const ofRound = ids('source').filter((id) => id.startsWith(`r${round}-`))
    expect(ofRound.length).toBeGreaterThanOrEqual(acknowledged)
    expect([ids('destination'), ids('connection')]).toEqual([ids('source'), ids('source')])
    expect(sluice.workspaces[0]?.connections).toHaveLength(ids('source').length)
    await sluice.stop()
  }
})
