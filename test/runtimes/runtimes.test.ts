import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { sized } from '../support/long.ts'
import { codeCases } from './code-cases.ts'
import { flowCases } from './flow-cases.ts'
import { isAbsent, platforms } from './platforms.ts'
import { engineFile, startWorker } from './workerd.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-runtimes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const limits = { eventTimeMs: 100, batchTimeMs: 2_000, stackBytes: 32 * 1024, memoryBytes: 32 * 1024 * 1024 }
/** Counted time, because by the clock the same code may run out of time here and out of memory there. */
const timing = 'counted'
const questions = {
  'events through the flow': {
    cases: fc.sample(flowCases, sized(25, 400)),
    limits: { stackBytes: 32 * 1024 },
    timing,
  },
  'code with what differs between platforms, hostile and random': { trials: codeCases(), limits, timing },
}

/** Returns what a platform answers. Hostile code takes a while, because time-outs are a tenth of a second. */
function answerOf(command: string, args: readonly string[], question: object, engine: readonly string[] = []): unknown {
  const file = join(folder, 'question.json')
  writeFileSync(file, JSON.stringify(question))
  const text = execFileSync(command, [...args, join(import.meta.dirname, 'program.mjs'), file, ...engine], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
    timeout: sized(60_000, 600_000),
    maxBuffer: 256 * 1024 * 1024,
  })
  return JSON.parse(text)
}

const known = new Map<string, unknown>()

/** What Node answers, once for each question. */
function inNode(question: object): unknown {
  const key = JSON.stringify(question)
  if (!known.has(key)) known.set(key, answerOf(process.execPath, [], question))
  return known.get(key)
}

describe.each(Object.entries(questions))('%s', { timeout: sized(120_000, 900_000) }, (_, question) => {
  it('gives the same with what every platform has, where no code is made at run time, as with Node', () => {
    // Node fetches no files.
    const args = ['--conditions=browser', '--disallow-code-generation-from-strings']
    expect(answerOf(process.execPath, args, question, [engineFile()])).toEqual(inNode(question))
  })

  it.for(platforms)('gives the same in $name as in Node', ({ name, args }, { skip }) => {
    skip(isAbsent(name), `${name} is not installed; pnpm test:runtimes installs it`)
    expect(answerOf(name, args, question)).toEqual(inNode(question))
  })

  it('gives the same in workerd as in Node', async ({ skip }) => {
    skip(isAbsent('workerd'), 'workerd is not installed; pnpm test:runtimes installs it')
    const worker = await startWorker(join(import.meta.dirname, 'worker.mjs'))
    try {
      expect(await worker.ask(question)).toEqual(inNode(question))
    } finally {
      await worker.close()
    }
  })
})
