import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCommand } from '../support/processes/command.ts'

const cwd = mkdtempSync(join(tmpdir(), 'sluice-sample-'))
afterAll(() => rmSync(cwd, { recursive: true }))

it('sluice serve --sample --once takes 1,000 events and more from end to end, and shows where each of them went', async () => {
  const { status, stdout, stderr } = await runCommand(['serve', '--sample', '--once'], { cwd })
  expect([status, stderr]).toEqual([0, expect.stringMatching(/read [\d]{4} events/)])
  expect(stdout).toMatch(/Web shop +\d/)
  expect(stdout).toContain('The sums agree')
  for (const word of ['rejected', 'suppressed', 'dropped', 'failed', 'destination is disabled', 'transform.threw'])
    expect(stdout).toContain(word)
  const [, taken, delivered] = /accepted (\d+) requests, (\d+) were delivered/.exec(stdout) ?? []
  expect(Number(taken)).toBeGreaterThan(1_000)
  expect(taken).toBe(delivered)
  // DuckDB takes some 60 MB of it.
  expect(Number(/memory at most (\d+) MB/.exec(stdout)?.[1])).toBeLessThan(420)
  expect(existsSync(join(cwd, '.sluice/sample.db'))).toBe(true)
  expect(stdout).not.toContain('Emptying')
})
