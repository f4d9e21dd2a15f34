// Question: how long does a command take until it does its work?
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, runBench } from './bench-kit.ts'

const bin = join(import.meta.dirname, '../../packages/sluice/bin/sluice.js')
/** The shortest of so many runs counts: it had the processor for itself, and its files in the cache. */
const runs = 10

interface Start {
  readonly args: readonly string[]
  /** The run ends when this is printed; left out, when the process does. */
  readonly until?: string
}

/** Returns the milliseconds of one start in a fresh process. */
function startMs({ args, until }: Start, cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let ms: number | undefined
    const read = (text: string): void => {
      output += text
      if (until === undefined || ms !== undefined || !output.includes(until)) return
      ms = performance.now() - startedAt
      child.kill('SIGTERM')
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.on('exit', (status) => {
      if (until === undefined && status === 0) ms = performance.now() - startedAt
      if (ms === undefined) reject(new Error(`${args.join(' ')} ended with ${status}:\n${output}`))
      else resolve(ms)
    })
  })
}

/** A start compared with that of an empty program, in turns, so that both meet the same neighbours. */
function figure(name: string, goal: string, start: Start): Figure {
  return {
    name: `${name} ÷ node -e 0`,
    unit: '×',
    goal,
    async measure() {
      const folder = await preparedFolder()
      const times = { empty: Number.POSITIVE_INFINITY, start: Number.POSITIVE_INFINITY }
      for (let run = 0; run < runs; run += 1) {
        times.empty = Math.min(times.empty, await startMs({ args: ['-e', '0'] }, folder))
        times.start = Math.min(times.start, await startMs(start, folder))
      }
      rmSync(folder, { recursive: true })
      assert.ok(times.start > times.empty)
      return times.start / times.empty
    },
  }
}

/** A folder with a new project with one case, and a workspace file. */
async function preparedFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-start-'))
  await startMs({ args: [bin, 'init'] }, folder)
  // It runs with vitest.
  rmSync(join(folder, 'tests/orders.test.ts'))
  writeFileSync(
    join(folder, 'workspace.yaml'),
    `id: shop
name: Shop
sources: [{ id: web, name: Web, writeKey: web-key }]
destinations: [{ id: hook, name: Hook, type: WEBHOOK, settings: { webhookUrl: "http://hook.test/" } }]
connections: [{ source: web, destination: hook }]
`,
  )
  return folder
}

// Goals of 80, 300, 500 and 150 ms where an empty program takes 40.
await runBench('how long does a command take until it does its work?', () => [], [
  figure('sluice --version', '≤ 2', { args: [bin, '--version'] }),
  figure('sluice test, one case', '≤ 7.5', { args: [bin, 'test'] }),
  figure('sluice serve, until it serves', '≤ 12.5', {
    args: [bin, 'serve', '--workspace', 'workspace.yaml', '--port', '0'],
    until: 'Serving on http',
  }),
  figure("import 'sluice'", '≤ 3.75', {
    args: ['--input-type=module', '-e', `await import(${JSON.stringify(import.meta.resolve('sluice'))})`],
  }),
])
