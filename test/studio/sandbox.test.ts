import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { createSandbox } from '@sluice/sandbox'
import { readStudioFiles } from '@sluice/studio'
import { type CodeToTry, type CodeTrial, createTransformationPrograms, tryCode } from '@sluice/transformations'
import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { createSluice, type Sluice, toNodeListener } from 'sluice'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hostilePrograms } from '../abuse/programs.ts'
import { sized } from '../support/long.ts'
import { hostileCode, randomCode, varyingEnds } from '../support/texts/code-to-try.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { buildStudioPage } from './studio-page.ts'

/** Same stack in both, because the stack of a Worker cannot be chosen. */
const limits = {
  eventTimeMs: 100,
  batchTimeMs: 2_000,
  asyncTimeMs: 300,
  memoryBytes: 32 * 1024 * 1024,
  stackBytes: 32 * 1024,
}
/** For code whose time is not the question, on a busy machine. */
const patientLimits = { ...limits, eventTimeMs: 10_000, batchTimeMs: 60_000, asyncTimeMs: 10_000 }
const differs = new Set([...varyingEnds, 'fill of an endless array-like'])
const programs = hostilePrograms.filter(({ name }, index) => !differs.has(name) && index % sized(4, 1) === 0)

/** The two ways to say that code ran too long, with the place where it was interrupted. */
const timedOut = /Script execution timed out\.(?: A built-in function ran longer than| \w+ ran longer than)[^"]*/g

const sameTimedOut = (trial: unknown): string => JSON.stringify(trial).replaceAll(timedOut, 'timed out')

describe.skipIf(noBrowser)('the sandbox in a Worker of a page', () => {
  let built: Awaited<ReturnType<typeof buildStudioPage>>
  let sluice: Sluice
  let browser: Browser
  let page: Page
  const server = createServer((request, response) => toNodeListener(sluice)(request, response))
  /** What the browser complains about, and addresses of other hosts. */
  const complaints: string[] = []

  beforeAll(async () => {
    built = await buildStudioPage('sandbox-page')
    sluice = await createSluice({ studio: readStudioFiles({ folder: built.folder }) })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await startBrowser()
    page = await browser.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) complaints.push(request.url())
    })
    await page.goto(`${origin}/studio/`)
    await page.waitForFunction(() => 'createCodeRunner' in globalThis)
    await page.evaluate(
      ([strict, patient]) => {
        const { createCodeRunner } = globalThis as unknown as { createCodeRunner(limits?: object): object }
        Object.assign(globalThis, { runner: createCodeRunner(strict), patientRunner: createCodeRunner(patient) })
      },
      [limits, patientLimits],
    )
  })
  afterAll(async () => {
    await browser?.close()
    server.closeAllConnections()
    server.close()
    await sluice?.stop()
    built?.remove()
  })

  /** As JSON text, because the protocol of the browser drops some keys, such as `__proto__`. */
  async function inPage(code: CodeToTry, runner: 'runner' | 'patientRunner' = 'runner'): Promise<CodeTrial> {
    const text = await page.evaluate(
      async ([name = '', each = '']) => {
        const runners = globalThis as unknown as Record<string, { run(code: object): Promise<unknown> }>
        return JSON.stringify(await runners[name]?.run(JSON.parse(each)))
      },
      [runner, JSON.stringify(code)],
    )
    return JSON.parse(text)
  }

  it('gives hostile programs the same outcomes, logs, texts and lines as the threads of a server', async () => {
    const sandbox = await createSandbox({ workers: 1, limits })
    const signal = new AbortController().signal
    for (const program of programs) {
      const code = hostileCode(program)
      const both = async (): Promise<readonly [unknown, unknown]> => {
        // A new one each time, because failures are cached for a while.
        const pool = createTransformationPrograms({ sandbox })
        const parts = ({ outcomes, log, problems }: CodeTrial) => ({ outcomes, log, problems })
        return [parts(await inPage(code)), parts(JSON.parse(JSON.stringify(await tryCode(pool, code, signal))))]
      }
      // Limits of time end code by the wall clock: a busy machine may end code that is only loading, and interrupts a
      // loop here and ends its thread there. So both may try again, and their texts of an ended loop are one.
      await vi.waitFor(
        async () => {
          const [ours, theirs] = await both()
          if (isDeepStrictEqual(ours, theirs)) return
          expect(sameTimedOut(ours), program.name).toBe(sameTimedOut(theirs))
        },
        { timeout: 30_000 },
      )
    }
    await sandbox.close()
    expect(complaints).toEqual([])
  }, 240_000)

  it('has every module of the guest API, and computes with it what Node computes', async () => {
    const code: CodeToTry = {
      name: 'modules',
      libraries: [{ name: 'doubling', code: 'export const doubled = (n) => n * 2' }],
      code: `import { sha256, sha512, sha1, md5, hmac } from '@sluice/hash'
import { base64Encode, base64Decode, hexEncode, utf8Length } from '@sluice/encoding'
import { v5 } from '@sluice/uuid'
import { parse } from '@sluice/user-agent'
import { mask } from '@sluice/pii'
import { doubled } from 'doubling'
export async function transformEvent(event, metadata) {
  const { text } = event
  log(text, metadata(event).destinationName)
  return mask({ ...event, hashes: [sha256, sha512, sha1, md5].map((hash) => hash(text)),
    macs: [hmac('sha256', 'key', text), hmac('md5', text, 'x', { output: 'base64url' })],
    texts: [base64Encode(text), base64Decode('w6k='), hexEncode(text), utf8Length(text), v5(text, 'url'), btoa('é')],
    bytes: [...new TextEncoder().encode(text)], url: new URL('/ü?a=1', 'https://x.test').href, agent: parse(event.agent),
    ip: await geolocation('1.2.3').catch((e) => e.message), fetched: await fetchV2('https://x.test').catch((e) => e.message),
    n: doubled(2), wide: text + '\\u{1f600}', lone: JSON.stringify(text), at: '::ffff:1.2.3.4 a@b.test' })
}`,
      events: ['plain', 'é', '€\u{1f600}', 'lone \ud800', ''].map((text) => ({
        type: 'track',
        text,
        agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36',
      })),
      metadata: { destinationName: 'Hook' },
    }
    const sandbox = await createSandbox({ workers: 1, limits: patientLimits })
    const here = await tryCode(createTransformationPrograms({ sandbox }), code, new AbortController().signal)
    await sandbox.close()
    const there = await inPage(code, 'patientRunner')
    expect(there.problems).toEqual([])
    expect(there.outcomes).toEqual(JSON.parse(JSON.stringify(here.outcomes)))
    expect(there.log).toEqual(here.log)
  })

  it('ends a program that cannot be interrupted 0.2 s after its limit, while the page stays smooth', async () => {
    const body = 'const a = []; a.length = 2 ** 32 - 1; a.indexOf(5)'
    const code = `export function transformEvent(event) { ${body}; return event }`
    const hung: CodeToTry = { name: 'hung', code, libraries: [], events: [{ type: 'track', n: 1 }] }
    await inPage({ ...hung, code: 'export const transformEvent = (event) => event' })
    const measured = () =>
      page.evaluate(async (each) => {
        const { runner } = globalThis as unknown as { runner: { run(code: object): Promise<unknown> } }
        let frames = 0
        let isRunning = true
        // The types of browsers are not those of the tests.
        const { requestAnimationFrame: next } = globalThis as unknown as {
          requestAnimationFrame(run: () => void): void
        }
        const count = (): void => {
          frames += 1
          if (isRunning) next(count)
        }
        next(count)
        const startedAt = performance.now()
        await runner.run(each)
        isRunning = false
        return { tookMs: performance.now() - startedAt, frames }
      }, hung as object)
    // Loading the code takes a few milliseconds more. A busy machine takes its own, so one of several runs has to do.
    await vi.waitFor(
      async () => {
        const { tookMs, frames } = await measured()
        expect(tookMs).toBeLessThan(limits.eventTimeMs + 200 + 100)
        expect((frames / tookMs) * 1_000).toBeGreaterThan(30)
      },
      { timeout: 30_000 },
    )
    expect((await inPage({ ...hung, code: 'export const transformEvent = (event) => event' })).problems).toEqual([])
  }, 60_000)

  it('gives random events and code what the threads of a server give', async () => {
    const sandbox = await createSandbox({ workers: 1, limits: patientLimits })
    const pool = createTransformationPrograms({ sandbox })
    await fc.assert(
      fc.asyncProperty(randomCode, async (trial) => {
        const here = JSON.parse(JSON.stringify(await tryCode(pool, trial, new AbortController().signal)))
        const there = await inPage(trial, 'patientRunner')
        expect([there.outcomes, there.log, there.problems]).toEqual([here.outcomes, here.log, here.problems])
      }),
      { numRuns: sized(60, 2_000) },
    )
    await sandbox.close()
  }, 240_000)

  it('is small: the Worker with all it needs at once, and what it loads for patterns, libraries and their calls', () => {
    const {
      'emscripten-module.wasm': engine = 0,
      'pattern-hook.js': patterns = 0,
      'camel-case.js': names = 0,
      'encrypt-text.js': encryption = 0,
      'apple-models.js': models = 0,
      ...scripts
    } = built.gzipBytes()
    expect(engine).toBeLessThan(236_000)
    expect(patterns).toBeLessThan(19_000)
    expect(names).toBeLessThan(4_000)
    expect(encryption).toBeLessThan(2_000)
    expect(models).toBeLessThan(2_500)
    expect(Object.values(scripts).reduce((sum, bytes) => sum + bytes)).toBeLessThan(112_000)
  })
})
