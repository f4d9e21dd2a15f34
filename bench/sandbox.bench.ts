import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Event, Outcome } from '@sluice/core'
import { createSandbox, type Program, type SandboxOptions } from '@sluice/sandbox'
import { newQuickJSWASMModule } from 'quickjs-emscripten'
import type { BenchCase, OpenCase } from './bench-case.ts'
import { runBench } from './bench-kit.ts'
import type { Corpus } from './corpus.ts'

const light = `export function transformEvent(event) {
  if (event.event === 'Debug Ping') return null
  event.properties.seen = true
  event.context.traits = undefined
  return event
}`
const identity = 'export const transformEvent = (event) => event'
const piiLibrary = {
  name: 'pii',
  code: `const patterns = [
  [/[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}/g, '[email]'],
  [/\\+?\\d[\\d ()-]{7,}\\d/g, '[phone]'],
  [/\\b(?:\\d[ -]?){13,16}\\b/g, '[card]'],
  [/\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b/g, '[ip]'],
]
export function mask(value) {
  if (typeof value === 'string') return patterns.reduce((text, [pattern, by]) => text.replace(pattern, by), value)
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  const masked = {}
  for (const key in value) masked[key] = mask(value[key])
  return masked
}`,
}
const piiByRegex = `import { mask } from 'pii'\nexport const transformEvent = (event) => mask(event)`
const fourPatterns = `
const email = /[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}/g
const phone = /\\+?\\d[\\d ()-]{7,}\\d/g
const card = /\\b(?:\\d[ -]?){13,16}\\b/g
const ip = /\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b/g
function mask(value) {
  if (typeof value === 'string')
    return value.replace(email, '[email]').replace(phone, '[phone]').replace(card, '[card]').replace(ip, '[ip]')
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  const masked = {}
  for (const key in value) masked[key] = mask(value[key])
  return masked
}
export const transformEvent = (event) => mask(event)`
const emailPattern = fourPatterns.replace(".replace(phone, '[phone]').replace(card, '[card]').replace(ip, '[ip]')", '')
const piiBuiltIn = `import { mask } from '@sluice/pii'\nexport const transformEvent = (event) => mask(event)`
const rounds = 200
const heavy = `${sha256Source()}
export function transformEvent(event) {
  let text = event.messageId
  for (let i = 0; i < ${rounds}; i++) text = sha256(text)
  return { messageId: event.messageId, digest: text }
}`
const heavyBuiltIn = `import { sha256 } from '@sluice/hash'
export function transformEvent(event) {
  let text = event.messageId
  for (let i = 0; i < ${rounds}; i++) text = sha256(text)
  return { messageId: event.messageId, digest: text }
}`

interface Work {
  readonly name: string
  readonly code: string
  readonly libraries?: readonly { readonly name: string; readonly code: string }[]
  right(inputs: readonly Event[], outputs: readonly (Event | undefined)[]): void
}

const same: Work['right'] = (inputs, outputs) => assert.deepEqual(outputs, inputs)
const works = {
  identity: { name: 'identity', code: identity, right: same },
  light: {
    name: 'light',
    code: light,
    right: (inputs, outputs) =>
      inputs.forEach((event, i) => {
        if (event['event'] === 'Debug Ping') assert.equal(outputs[i], undefined)
        else assert.equal((outputs[i]?.['properties'] as { seen?: boolean } | undefined)?.seen, true)
      }),
  },
  pii: { name: 'PII, four regexes and a library', code: piiByRegex, libraries: [piiLibrary], right: masked },
  fourPatterns: { name: 'four patterns over all strings', code: fourPatterns, right: masked },
  emailPattern: { name: 'one pattern for e-mail over all strings', code: emailPattern, right: masked },
  piiBuiltIn: { name: 'PII by @sluice/pii', code: piiBuiltIn, right: masked },
  heavy: { name: `sha256 by hand, ${rounds} times`, code: heavy, right: hashed },
  heavyBuiltIn: { name: `sha256 by @sluice/hash, ${rounds} times`, code: heavyBuiltIn, right: hashed },
} as const satisfies Record<string, Work>

function masked(inputs: readonly Event[], outputs: readonly (Event | undefined)[]): void {
  assert.equal(outputs.length, inputs.length)
  assert.equal(/@mail\.test/.test(JSON.stringify(outputs)), false)
}

function hashed(inputs: readonly Event[], outputs: readonly (Event | undefined)[]): void {
  let text = String(inputs[0]?.messageId)
  for (let i = 0; i < rounds; i += 1) text = createHash('sha256').update(text).digest('hex')
  assert.equal(outputs[0]?.['digest'], text)
}

const live = new AbortController().signal

function sandboxCase(corpus: Corpus, work: Work, batch: number, options: SandboxOptions, label: string): BenchCase {
  return { name: `${work.name}, batch ${batch}, ${label}`, open: () => openSandbox(corpus, work, batch, options) }
}

async function openSandbox(corpus: Corpus, work: Work, batch: number, options: SandboxOptions): Promise<OpenCase> {
  const sandbox = await createSandbox(options)
  const compiled = await sandbox.compile({ name: work.name, code: work.code, libraries: work.libraries ?? [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const { program } = compiled
  // As many callers as a pool has work sent ahead for; each asks again as soon as it is answered, as a consumer does.
  const inFlight = options.mode === 'worker' ? 8 * (options.workers ?? 1) : 1
  const callsEach = options.mode === 'worker' && batch === 1 ? 25 : 1
  const batches = Array.from({ length: inFlight }, (_, n) => slice(corpus, n * batch, batch))
  return {
    events: batch * inFlight * callsEach,
    check: async () => work.right(batches[0] ?? [], await outputsOf(program, batches[0] ?? [])),
    run: async () => {
      await Promise.all(
        batches.map(async (events) => {
          for (let call = 0; call < callsEach; call += 1) await program.run(events.map(toInput), live)
        }),
      )
    },
    close: () => sandbox.close(),
  }
}

function slice({ events }: Corpus, start: number, length: number): readonly Event[] {
  return Array.from({ length }, (_, i) => events[(start + i) % events.length] ?? {})
}

const toInput = (event: Event) => ({ event, metadata: {} })

async function outcomesOf(program: Program, events: readonly Event[]): Promise<readonly Outcome<Event>[]> {
  return (await program.run(events.map(toInput), live)).outcomes
}

async function outputsOf(program: Program, events: readonly Event[]): Promise<readonly (Event | undefined)[]> {
  return (await outcomesOf(program, events)).map((outcome) => {
    if (outcome.kind === 'fail') throw new Error(outcome.error.message)
    return outcome.kind === 'pass' ? outcome.items[0] : undefined
  })
}

/** A thousand versions, one after the other, each for one event: what many customers with few events cost. */
async function openRotation(corpus: Corpus, options: SandboxOptions): Promise<OpenCase> {
  const sandbox = await createSandbox(options)
  const programs: Program[] = []
  for (let n = 0; n < 1_000; n += 1) {
    const compiled = await sandbox.compile({ name: `v${n}`, code: `${light}\n// ${n}`, libraries: [] })
    if (!compiled.ok) throw new Error(compiled.error.message)
    programs.push(compiled.program)
  }
  const events = slice(corpus, 0, programs.length)
  return {
    events: programs.length,
    check: async () => {
      for (const [i, program] of programs.entries())
        works.light.right([events[i] ?? {}], await outputsOf(program, [events[i] ?? {}]))
    },
    run: async () => {
      for (const [i, program] of programs.entries()) await program.run([toInput(events[i] ?? {})], live)
    },
    close: () => sandbox.close(),
  }
}

/** The first event through a version never seen before. */
async function openFirstEvent(corpus: Corpus, options: SandboxOptions): Promise<OpenCase> {
  const sandbox = await createSandbox(options)
  const [event = {}] = corpus.events
  let n = 0
  const run = async (): Promise<void> => {
    n += 1
    const compiled = await sandbox.compile({ name: 'new', code: `${light}\n// new ${n}`, libraries: [] })
    if (!compiled.ok) throw new Error(compiled.error.message)
    await compiled.program.run([toInput(event)], live)
  }
  return { events: 1, check: run, run, close: () => sandbox.close() }
}

/** A peer: a fresh QuickJS context per batch, events as JSON text. */
async function openFreshContext(corpus: Corpus, batch: number): Promise<OpenCase> {
  const quickjs = await newQuickJSWASMModule()
  const events = slice(corpus, 0, batch)
  const script = `${light.replace('export ', '')}\n;(text) => JSON.stringify(JSON.parse(text).map((e) => transformEvent(e) ?? null))`
  const run = (): unknown => {
    const context = quickjs.newContext()
    const fn = context.unwrapResult(context.evalCode(script))
    const text = context.newString(JSON.stringify(events))
    const result = context.unwrapResult(context.callFunction(fn, context.undefined, text))
    const outputs: unknown = JSON.parse(context.getString(result))
    for (const handle of [fn, text, result]) handle.dispose()
    context.dispose()
    return outputs
  }
  return {
    events: batch,
    check: () =>
      works.light.right(
        events,
        (run() as (Event | null)[]).map((event) => event ?? undefined),
      ),
    run: () => void run(),
  }
}

/** The limit: V8 without any sandbox, structured the same. */
function openPlain(corpus: Corpus, work: Work, batch: number): OpenCase {
  const libraries = (work.libraries ?? []).map(({ code }) => code.replaceAll('export ', '')).join('\n')
  const body = `${libraries}\n${work.code.replace(/^import .*$/gm, '').replaceAll('export ', '')}\nreturn transformEvent`
  const transform = new Function(body)() as (event: Event) => Event | null
  const texts = slice(corpus, 0, batch).map((event) => JSON.stringify(event))
  const run = (): readonly (Event | undefined)[] =>
    texts.map((text) => {
      const output = transform(JSON.parse(text))
      return output === null ? undefined : JSON.parse(JSON.stringify(output))
    })
  return {
    events: batch,
    check: () => work.right(slice(corpus, 0, batch), run()),
    run: () => void run(),
  }
}

/** A peer where it is installed: raw isolated-vm, a new isolate per batch, as RudderStack does. */
async function openIsolatedVm(corpus: Corpus, batch: number): Promise<OpenCase | undefined> {
  const ivm = isolatedVm()
  if (ivm === undefined) {
    process.stderr.write(`isolated-vm is not installed: batch ${batch} is left out\n`)
    return undefined
  }
  const events = slice(corpus, 0, batch)
  const script = `${light.replace('export ', '')}\n;JSON.stringify(JSON.parse(text).map((e) => transformEvent(e) ?? null))`
  const run = async (): Promise<unknown> => {
    const isolate = new ivm.Isolate({ memoryLimit: 128 })
    const context = await isolate.createContext()
    await context.global.set('text', JSON.stringify(events))
    const outputs: unknown = JSON.parse(await (await isolate.compileScript(script)).run(context))
    isolate.dispose()
    return outputs
  }
  return {
    events: batch,
    check: async () =>
      works.light.right(
        events,
        ((await run()) as (Event | null)[]).map((event) => event ?? undefined),
      ),
    run: async () => void (await run()),
  }
}

/** The little of isolated-vm that is used here; it is no dependency, and has to be installed apart. */
interface IsolatedVm {
  readonly Isolate: new (options: {
    memoryLimit: number
  }) => {
    createContext(): Promise<{ readonly global: { set(name: string, value: string): Promise<void> } }>
    compileScript(code: string): Promise<{ run(context: object): Promise<string> }>
    dispose(): void
  }
}

function isolatedVm(): IsolatedVm | undefined {
  try {
    return createRequire(import.meta.url)('isolated-vm') as IsolatedVm
  } catch {
    return undefined
  }
}

/** How late the host's event loop is at worst while native loops run in a thread, are found out and the thread is replaced. */
async function measureLateness(): Promise<number> {
  const sandbox = await createSandbox({ mode: 'worker', workers: 1, limits: { eventTimeMs: 200 } })
  const code = 'export function transformEvent() { const a = []; a.length = 2 ** 32 - 1; a.indexOf(5) }'
  const compiled = await sandbox.compile({ name: 'loop', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  for (let i = 0; i < 5; i += 1) {
    const [outcome] = await outcomesOf(compiled.program, [{ type: 'track' }])
    assert.equal(outcome?.kind, 'fail')
  }
  delay.disable()
  await sandbox.close()
  return delay.max / 1e6
}

const oneWorker = { mode: 'worker', workers: 1 } as const
const inProcess = { mode: 'in-process' } as const
const sizes = [200, 10, 1]

await runBench(
  'What does a user transformation cost per event, isolated?',
  (corpus) => {
    const ofWork = (work: Work): readonly BenchCase[] => [
      ...(['batch', 'event', 'none'] as const).flatMap((isolation) =>
        sizes.map((size) =>
          sandboxCase(corpus, work, size, { ...oneWorker, isolation }, `isolation ${isolation}, 1 worker`),
        ),
      ),
      sandboxCase(corpus, work, 200, { mode: 'worker', workers: 2 }, 'isolation batch, 2 workers'),
      ...[200, 1].map((size) => sandboxCase(corpus, work, size, inProcess, 'isolation batch, in process')),
    ]
    const trusted = (work: Work, size: number): BenchCase =>
      sandboxCase(
        corpus,
        work,
        size,
        { ...oneWorker, code: 'trusted' },
        'isolation batch, 1 worker, trusted code in V8',
      )
    return [
      ...[works.light, works.pii, works.fourPatterns].flatMap((work) => sizes.map((size) => trusted(work, size))),
      trusted(works.heavy, 10),
      ...[works.identity, works.light, works.pii, works.fourPatterns, works.emailPattern, works.piiBuiltIn].flatMap(
        ofWork,
      ),
      ...[works.heavy, works.heavyBuiltIn].map((work) =>
        sandboxCase(corpus, work, 10, oneWorker, 'isolation batch, 1 worker'),
      ),
      {
        name: 'light, 1,000 versions in rotation, batch 1, 1 worker',
        open: () => openRotation(corpus, oneWorker),
      },
      { name: 'first event of a new version, 1 worker', open: () => openFirstEvent(corpus, oneWorker) },
      { name: 'first event of a new version, in process', open: () => openFirstEvent(corpus, inProcess) },
      ...sizes.map((size) => ({
        name: `peer: light, batch ${size}, QuickJS, fresh context per batch, JSON text`,
        open: () => openFreshContext(corpus, size),
      })),
      ...sizes.map((size) => ({
        name: `peer: light, batch ${size}, isolated-vm, new isolate per batch`,
        open: () => openIsolatedVm(corpus, size),
      })),
      ...[works.light, works.pii, works.heavy].map((work) => ({
        name: `limit: ${work.name}, plain V8, JSON text in and out`,
        open: () => openPlain(corpus, work, work === works.heavy ? 10 : 200),
      })),
    ]
  },
  [
    {
      name: 'the host is late at most while native loops run',
      unit: 'ms',
      goal: 'at most 20 ms',
      measure: measureLateness,
    },
  ],
)

/** SHA-256 as people write it when they have no library. FIPS 180-4. */
function sha256Source(): string {
  return `const K = []
for (let n = 2, i = 0; i < 64; n++) { let p = true; for (let d = 2; d * d <= n; d++) if (n % d === 0) { p = false; break } if (p) { const r = Math.cbrt(n); K[i++] = ((r - Math.floor(r)) * 2 ** 32) | 0 } }
const utf8 = (s) => unescape(encodeURIComponent(s))
function sha256(text) {
  const s = utf8(text), l = s.length, n = ((l + 8) >> 6) + 1, w = new Array(n * 16).fill(0)
  for (let i = 0; i < l; i++) w[i >> 2] |= s.charCodeAt(i) << (24 - (i & 3) * 8)
  w[l >> 2] |= 0x80 << (24 - (l & 3) * 8)
  w[n * 16 - 1] = l * 8
  let h = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19].map((x) => x | 0)
  const W = new Array(64), rot = (x, k) => (x >>> k) | (x << (32 - k))
  for (let b = 0; b < n; b++) {
    let [a, c, d, e, f, g, i, j] = h
    for (let t = 0; t < 64; t++) {
      if (t < 16) W[t] = w[b * 16 + t]
      else { const x = W[t - 15], y = W[t - 2]; W[t] = (W[t - 16] + (rot(x, 7) ^ rot(x, 18) ^ (x >>> 3)) + W[t - 7] + (rot(y, 17) ^ rot(y, 19) ^ (y >>> 10))) | 0 }
      const t1 = (j + (rot(f, 6) ^ rot(f, 11) ^ rot(f, 25)) + ((f & g) ^ (~f & i)) + K[t] + W[t]) | 0
      const t2 = ((rot(a, 2) ^ rot(a, 13) ^ rot(a, 22)) + ((a & c) ^ (a & d) ^ (c & d))) | 0
      j = i; i = g; g = f; f = (e + t1) | 0; e = d; d = c; c = a; a = (t1 + t2) | 0
    }
    h = [h[0] + a, h[1] + c, h[2] + d, h[3] + e, h[4] + f, h[5] + g, h[6] + i, h[7] + j].map((x) => x | 0)
  }
  return h.map((x) => (x >>> 0).toString(16).padStart(8, '0')).join('')
}`
}
