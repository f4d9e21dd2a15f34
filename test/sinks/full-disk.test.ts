import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Two appends, of which the second finds no room half way: the process may write files of 1,024 bytes (`ulimit -f`). */
const program = `
import { systemClock } from '@sluice/core'
import { createTransport } from '@sluice/delivery'
import { sink } from '@sluice/destinations'
process.on('SIGXFSZ', () => {})
const transport = createTransport({ clock: systemClock })
const params = { folder: process.argv[1], rotateBytes: 1e6, rotateMinutes: 5, fsync: true }
for (const n of [1, 2]) {
  const body = { lines: [{ n, filling: 'x'.repeat(700) }] }
  const request = sink({ method: 'POST', endpoint: 'file:events', params, body })
  const { status, code } = await transport.send(request, { signal: new AbortController().signal, timeMs: 5_000 })
  console.log(status ?? code)
}`

it.skipIf(process.platform === 'win32')('an append that a full disk cuts short leaves nothing behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-full-'))
  const args = [
    '-c',
    'ulimit -f 1 && exec "$@"',
    'bash',
    process.execPath,
    '--input-type=module',
    '-e',
    program,
    folder,
  ]
  const { stdout, stderr } = spawnSync('bash', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  expect([stdout.trim().split('\n'), stderr]).toEqual([['200', 'EFBIG'], ''])
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(texts).toEqual([`${JSON.stringify({ n: 1, filling: 'x'.repeat(700) })}\n`])
  rmSync(folder, { recursive: true })
})
