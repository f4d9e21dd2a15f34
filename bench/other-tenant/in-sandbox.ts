import assert from 'node:assert/strict'
import { createSandbox, type Program, type Sandbox } from '@sluice/sandbox'
import { repeatedly, type Scene } from './scene.ts'

const live = new AbortController().signal

async function programOf(sandbox: Sandbox, owner: string, body: string): Promise<Program> {
  const code = `export async function transformEvent(event) { ${body}; return event }`
  const compiled = await sandbox.compile({ name: owner, code, libraries: [] }, owner)
  if (!compiled.ok) throw new Error(compiled.error.message)
  return compiled.program
}

/** The innocent workspace runs a light transformation on one event, the other one a program of its own on `events`. */
export async function inSandbox(body: string, events = 3): Promise<Scene> {
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
export async function inStripper(): Promise<Scene> {
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
