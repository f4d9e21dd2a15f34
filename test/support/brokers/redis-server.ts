import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../http/free-port.ts'

/** Why tests that need a Redis server cannot run; undefined when they can. */
export const noRedisServer: string | undefined =
  spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'there is no redis-server on the PATH'

export interface RedisServer {
  readonly address: string
  close(): Promise<void>
}

/** A Redis server for this test only, in memory. When it is started again on the same port, it is empty. */
export async function startRedisServer(options: readonly string[] = [], port?: number): Promise<RedisServer> {
  const at = port ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-'))
  const server = spawn(
    'redis-server',
    ['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...options],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let log = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('Ready to accept connections')) resolve()
    })
    ended.then(() => reject(new Error(`redis-server did not start: ${log}`)))
  })
  return {
    address: `127.0.0.1:${at}`,
    async close() {
      server.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
