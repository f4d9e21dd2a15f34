import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** Two appends by a process that may write files of 1,024 bytes (`ulimit -f`). */
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
}
// A file that is still open would be reported when it is collected.
for (let n = 0; n < 5; n++) {
  gc()
  await new Promise((resolve) => setTimeout(resolve, 5))
}
await transport.close()`

/** @returns the result of each append, and what the process wrote to standard error. */
function run(folder: string): readonly [readonly string[], string] {
  const node = [process.execPath, '--expose-gc', '--input-type=module', '-e', program, folder]
  const args = ['-c', 'ulimit -f 1 && exec "$@"', 'bash', ...node]
  const { stdout, stderr } = spawnSync('bash', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  return [stdout.trim().split('\n'), stderr]
}

describe.skipIf(process.platform === 'win32')('a disk that is full', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-full-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const texts = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))

  it('leaves nothing behind of an append that it cuts short', () => {
    expect(run(folder)).toEqual([['200', 'EFBIG'], ''])
    expect(texts()).toEqual([`${JSON.stringify({ n: 1, filling: 'x'.repeat(700) })}\n`])
  })

  it('leaves no file open that cannot be gone on with, because a torn line cannot be ended', () => {
    const torn = 'x'.repeat(1_024)
    writeFileSync(join(folder, 'events-2026-01-01T000000000Z.ndjson'), torn)
    expect(run(folder)).toEqual([['EFBIG', 'EFBIG'], ''])
    expect(texts()).toEqual([torn])
  })
})
