import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { until } from '../support/eventually.ts'
import { freePort } from '../support/http/free-port.ts'

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

const config = (
  port: number,
  bindings: Readonly<Record<string, string>>,
) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["public", "private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "engine.wasm", wasm = embed "engine.wasm")
  ],
  bindings = [${Object.entries(bindings)
    .map(([name, text]) => `(name = "${name}", text = "${text}")`)
    .join(', ')}],
  compatibilityDate = "2026-01-01"
);
`

/**
 * Bundles a worker with its engine, as the tools of Workers do, and starts it.
 * @param bindings texts of its environment.
 */
export async function startWorker(
  entry: string,
  bindings: Readonly<Record<string, string>> = {},
): Promise<RunningWorker> {
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
  writeFileSync(join(folder, 'config.capnp'), config(port, bindings))
  const child = spawn('workerd', ['serve', join(folder, 'config.capnp')], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const ask = async (question: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify(question) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return JSON.parse(text)
  }
  await untilReady(port)
  return {
    ask,
    close: async () => {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(port: number): Promise<void> {
  await until(async () => {
    const socket = connect(port, '127.0.0.1')
    const isReady = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isReady
  })
}
