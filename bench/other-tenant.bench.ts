// Question: what does one workspace notice of another one that attacks?
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { createSandbox, type Program, type Sandbox } from '@sluice/sandbox'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { type Figure, runBench } from './bench-kit.ts'
import { type Arrival, sharedNow } from './other-tenant/receiver.ts'

const live = new AbortController().signal
/** Runs of the innocent workspace per measurement: its 99th percentile is the third worst. */
const runs = 300
const pauseMs = 2
/** What a waiting attacker waits, and how many of its calls are under way. */
const flood = 16

/** An attack that continues until it is stopped. */
interface Attack {
  stop(): Promise<void>
}

interface Scene {
  /** One thing that the other workspace does. @returns when it was done (`sharedNow`); left out, when it resolves. */
  step(n: number): Promise<number | undefined>
  attack(): Promise<Attack> | Attack
  close(): Promise<void>
}

/** Does `work` again and again, `flood` times at once; failures are the attacker's. */
function repeatedly(work: (n: number) => Promise<unknown>): Attack {
  let stopped = false
  let calls = 0
  const lines = Array.from({ length: flood }, async () => {
    while (!stopped) {
      calls += 1
      await work(calls).catch(() => {})
    }
  })
  return {
    async stop() {
      stopped = true
      await Promise.race([Promise.all(lines), new Promise((resolve) => setTimeout(resolve, 5_000).unref())])
    },
  }
}

async function p99Of({ step }: Scene): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < runs; n += 1) {
    // As events come: with pauses, in which the attacker has its turn. What comes late counts from when it was due.
    const due = sharedNow() + pauseMs
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const doneAt = await step(n)
    times.push((doneAt ?? sharedNow()) - due)
  }
  return times.sort((a, b) => a - b)[Math.floor(runs * 0.99)] ?? 0
}

function figure(name: string, open: () => Promise<Scene>, goal = '≤ 3'): Figure {
  return {
    name: `p99 of the other workspace, ${name} ÷ alone`,
    unit: '×',
    goal,
    async measure() {
      const scene = await open()
      await p99Of(scene)
      const alone = await p99Of(scene)
      const attack = await scene.attack()
      // What the attack is, is learnt from its first batches; a thread for the others starts once.
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await p99Of(scene)
      const attacked = await p99Of(scene)
      await attack.stop()
      await scene.close()
      return attacked / alone
    },
  }
}

async function programOf(sandbox: Sandbox, owner: string, body: string): Promise<Program> {
  const code = `export async function transformEvent(event) { ${body}; return event }`
  const compiled = await sandbox.compile({ name: owner, code, libraries: [] }, owner)
  if (!compiled.ok) throw new Error(compiled.error.message)
  return compiled.program
}

/** The innocent workspace runs a light transformation on one event, the other one a program of its own on `events`. */
async function inSandbox(body: string, events = 3): Promise<Scene> {
  const never = () => new Promise<never>(() => {})
  const sandbox = await createSandbox({ workers: 1, limits: { eventTimeMs: 500 }, geolocation: never })
  const light = await programOf(sandbox, 'b', 'event.seen = true')
  const hostile = await programOf(sandbox, 'a', body)
  const inputs = Array.from({ length: events }, () => ({ event: { type: 'track' }, metadata: {} }))
  return {
    async step() {
      const { outcomes } = await light.run([{ event: { type: 'track' }, metadata: {} }], live)
      assert.equal(outcomes[0]?.kind, 'pass')
      return undefined
    },
    attack: () => repeatedly(() => hostile.run(inputs, live)),
    close: () => sandbox.close(),
  }
}

/** The innocent workspace saves a small transformation with types, the other one code that keeps the parser busy. */
async function inStripper(): Promise<Scene> {
  const sandbox = await createSandbox({ workers: 1 })
  const hostile = { name: 'a', code: `x=${'<T>('.repeat(30)}`, libraries: [] }
  return {
    async step(n) {
      const code = `export function transformEvent(event: object) { return event } // ${n}`
      const compiled = await sandbox.compile({ name: 'b', code, libraries: [] }, 'b')
      assert.ok(compiled.ok)
      return undefined
    },
    attack: () => repeatedly(() => sandbox.compile(hostile, 'a')),
    close: () => sandbox.close(),
  }
}

/** Calls of the attacker are made before: what they cost their sender is not asked here. */
const bodies = 400

/** The innocent workspace takes events in, whole way included; the other one floods with what `bodyOf` gives. */
function inPipeline(bodyOf: (n: number) => readonly unknown[], destinations = 1): Promise<Scene> {
  const floods = Array.from({ length: bodies }, (_, n) => bodyOf(n))
  return besideCalls((sluice, n) => sluice.ingest('a-key', floods[n % bodies] ?? []), destinations)
}

/** The innocent workspace takes events in, whole way included, while the other one does something again and again. */
async function besideCalls(
  call: (sluice: Sluice, n: number) => Promise<unknown>,
  destinations = 1,
  prepare: (sluice: Sluice) => Promise<unknown> = async () => {},
): Promise<Scene> {
  const arrivals = new Map<string, (arrival: Arrival) => void>()
  const receiver = fork(new URL('./other-tenant/receiver.js', import.meta.url), { execArgv: [] })
  const [{ port }] = await once(receiver, 'message')
  receiver.on('message', (arrival: Arrival) => arrivals.get(arrival.messageId)?.(arrival))
  const webhookUrl = `http://127.0.0.1:${port}/`
  const workspace = (workspaceId: string, count: number) => {
    const names = Array.from({ length: count }, (_, n) => `hook${n}`)
    return {
      id: workspaceId,
      sources: [{ id: 's', writeKey: `${workspaceId}-key` }],
      destinations: names.map((name) => ({
        id: name,
        type: 'WEBHOOK',
        settings: { webhookUrl: `${webhookUrl}${workspaceId}` },
      })),
      connections: names.map((name) => ({ source: 's', destination: name })),
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const store = await openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
  const sluice: Sluice = await createSluice({
    workspace: { workspaces: [workspace('a', destinations), workspace('b', 1)] },
    store,
    allowAddresses: ['localhost'],
  })
  await prepare(sluice)
  let events = 0
  return {
    async step(n) {
      events += 1
      const messageId = `m${events}`
      const arrived = new Promise<Arrival>((resolve) => arrivals.set(messageId, resolve))
      const result = await sluice.ingest('b-key', [{ type: 'track', event: 'Seen', userId: `u${n}`, messageId }])
      assert.ok(result.ok)
      const { atMs } = await arrived
      arrivals.delete(messageId)
      return atMs
    },
    attack: () => repeatedly((n) => call(sluice, n)),
    async close() {
      await sluice.stop()
      await store.close()
      rmSync(folder, { recursive: true })
      receiver.disconnect()
    },
  }
}

type Changes = Parameters<Sluice['configuration']['change']>[1]

const sourcesFrom = (start: number, count: number, body: { readonly name: string | number }): Changes =>
  Array.from({ length: count }, (_, i) => ({ action: 'create', kind: 'source', id: `s${start + i}`, body }))

/** Fills the configuration of the attacker. */
async function withRecords(sluice: Sluice): Promise<void> {
  for (let start = 0; start < 40_000; start += 5_000)
    assert.ok((await sluice.configuration.change('a', sourcesFrom(start, 5_000, { name: 'many' }))).ok)
}

const giantText = 'write to ann@example.test or call +1 415 555 2671; '.repeat(24_000)

const track = (n: number, more: object) => ({ type: 'track', event: 'Seen', userId: `u${n}`, ...more })

await runBench('what does one workspace notice of another one that attacks?', () => [], [
  figure('slow batches', () => inSandbox('for (let end = Date.now() + 300; Date.now() < end; );')),
  figure('native loops', () => inSandbox('const a = []; a.length = 2 ** 32 - 1; a.indexOf(5)', 1)),
  figure('batches that wait for the host', () => inSandbox("await geolocation('8.8.8.8')", 1)),
  figure('outputs of 3 MB', () => inSandbox("event.text = 'x'.repeat(3e6)", 50)),
  figure('outputs that share a buffer', () =>
    inSandbox('globalThis.b ??= new ArrayBuffer(1e6); event.b = new Uint8Array(b)', 200),
  ),
  figure('exhausted memory', () => inSandbox("const all = []; for (;;) all.push('x'.repeat(1e6) + all.length)", 20)),
  figure('hostile types', inStripper),
  // The goal is about user code. One thread does all of this, the receiver included, in turns of some milliseconds.
  figure(
    'ingestion of 500 events with new names',
    () => inPipeline((n) => Array.from({ length: 500 }, (_, i) => track(n, { event: `New ${n} ${i}` }))),
    'none',
  ),
  figure(
    'ingestion of 500 events with new keys',
    () => inPipeline((n) => Array.from({ length: 500 }, (_, i) => track(n, { properties: { [`k${n}_${i}`]: 1 } }))),
    'none',
  ),
  figure(
    '5,000 malformed changes a call',
    () =>
      besideCalls((sluice) =>
        sluice.configuration.change('a', sourcesFrom(0, 5_000, { name: 5 }), { validateOnly: true }),
      ),
    'none',
  ),
  figure(
    'changes of a workspace with 40,000 records',
    () =>
      besideCalls(
        (sluice, n) => sluice.configuration.change('a', sourcesFrom(40_000 + n, 1, { name: 'one' })),
        1,
        withRecords,
      ),
    'none',
  ),
  figure(
    'ingestion of texts of 1.2 MB',
    () => besideCalls((sluice, n) => sluice.ingest('a-key', [track(n, { properties: { text: giantText } })])),
    'none',
  ),
  figure(
    'ingestion of 19,000 tiny events a call',
    () => inPipeline((n) => Array.from({ length: n < 8 ? 19_000 : 1 }, () => track(n, {}))),
    'none',
  ),
  figure(
    'ingestion of 200 events for 50 destinations',
    () => inPipeline((n) => Array.from({ length: 200 }, () => track(n, {})), 50),
    'none',
  ),
])
