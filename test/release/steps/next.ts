import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { transform } from 'esbuild'
import { failure, run } from '../command.ts'
import type { Step } from '../step.ts'

const packages = ['next@16.4.6', 'react@19', 'react-dom@19']
const startMs = 30_000
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }

/** Builds the route handler of the page on embedding with Next, starts it, and sends it an event. */
export const next: Step = {
  name: 'next',
  summary: 'the route handler of the guide on mounting, built and started by Next',
  async run(bench) {
    const cwd = await bench.copyOfProject('next')
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages]
    const installed = failure('npm install next', await run('npm', install, { cwd }))
    if (installed !== undefined) return { problems: [installed], notes: [] }
    await writeApp(cwd, readFileSync(join(bench.root, 'packages/docs/guides/mount.md'), 'utf8'))
    const bin = join(cwd, 'node_modules/next/dist/bin/next')
    const built = failure('next build', await run(process.execPath, [bin, 'build'], { cwd, env }))
    if (built !== undefined) return { problems: [built], notes: [] }
    const port = await freePort()
    const server = spawn(process.execPath, [bin, 'start', '--port', String(port)], { cwd, env, stdio: 'ignore' })
    const ended = once(server, 'exit')
    try {
      const status = await statusOfEvent(`http://127.0.0.1:${port}/events/v1/track`)
      const problems = status === 200 ? [] : [`next start: an event was answered with ${status ?? 'nothing'}, not 200`]
      return { problems, notes: [packages.join(', ')] }
    } finally {
      server.kill('SIGKILL')
      await ended
    }
  },
}

async function writeApp(cwd: string, page: string): Promise<void> {
  const route = [...page.matchAll(/^```ts\n(.*?)^```/gms)].find(([, code]) => code?.includes('kept.sluice ??='))?.[1]
  const config = /^```js\n(export default \{ serverExternalPackages.*?)^```/ms.exec(page)?.[1]
  if (route === undefined || config === undefined) throw new Error('guides/mount.md has no block for Next any more')
  const folder = join(cwd, 'app/events/[...path]')
  mkdirSync(folder, { recursive: true })
  // As JavaScript, so that Next does not install TypeScript.
  writeFileSync(join(folder, 'route.js'), (await transform(route, { loader: 'ts' })).code)
  writeFileSync(join(cwd, 'app/layout.js'), 'export default ({ children }) => children\n')
  writeFileSync(join(cwd, 'next.config.mjs'), config)
}

/** Sends an event until the server listens, then returns its status; undefined when it does not listen in time. */
async function statusOfEvent(url: string): Promise<number | undefined> {
  const init = {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web-key:')}`, 'content-type': 'application/json' },
    body: '{"type":"track","userId":"u","event":"E"}',
  }
  for (const until = Date.now() + startMs; Date.now() < until; await wait(200)) {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
    if (answer) return answer.status
  }
  return undefined
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
