import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { freePort } from '../support/free-port.ts'

/** A worker in workerd, the runtime of Cloudflare's Workers, on a port of this machine. */
export interface RunningWorker {
  ask(question: object): Promise<unknown>
  close(): Promise<void>
}

/** The file of the engine. */
export function engineFile(): string {
  const sandbox = createRequire(createRequire(import.meta.url).resolve('@sluice/sandbox'))
  return sandbox.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
}

const config = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "engine.wasm", wasm = embed "engine.wasm")
  ],
  compatibilityDate = "2026-01-01"
);
`

/** Bundles a worker with its engine, as the tools of Workers do, and starts it. */
export async function startWorker(entry: string): Promise<RunningWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-workerd-'))
  await build({
    entryPoints: [entry],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['*.wasm'],
    logLevel: 'error',
  })
  copyFileSync(engineFile(), join(folder, 'engine.wasm'))
  const port = await freePort()
  writeFileSync(join(folder, 'config.capnp'), config(port))
  const child = spawn('workerd', ['serve', join(folder, 'config.capnp')], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const ask = async (question: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify(question) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return JSON.parse(text)
  }
  await untilReady(() => ask({ trials: [] }))
  return {
    ask,
    close: async () => {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const error = await ask().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error === undefined) return
    if (tries > 100) throw error
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
