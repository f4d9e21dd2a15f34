import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropSchema, freshSchema, postgresUrl } from '../databases/postgres.ts'
import { hashOf } from '../http/api-client.ts'
import { type RunningCommand, startCommand } from '../processes/command.ts'
import { shop } from '../scenes/shop.ts'

/** A process of a cluster. */
export interface ClusterNode {
  readonly host: string
  readonly port: number
  readonly command: RunningCommand
  /** Whether it was stopped for a while, or cut off, and answers nothing. */
  isAsleep: boolean
}

export interface ClusterOptions {
  readonly webhookUrl: string
  readonly leaseSeconds: number
  /** Default: the server for tests. */
  readonly databaseUrl?: string
  /** The address of the database for the processes; default `databaseUrl`. */
  readonly wayUrl?: string
  readonly env?: NodeJS.ProcessEnv
  /** Other members of the workspace than those of `shop`. */
  readonly workspace?: Parameters<typeof shop>[1]
}

/** Where a process runs, when it is not this machine itself. */
export interface ClusterHost {
  /** Its address, which this machine reaches. */
  readonly address: string
  /** What a command begins with to run there. */
  readonly command: readonly string[]
  /** Replaces the addresses of the database and of the webhook. */
  readonly databaseUrl: string
  readonly webhookUrl: string
}

/** Processes of `sluice serve` that share a store of their own, as a user starts them. */
export interface TestCluster {
  readonly schema: string
  readonly databaseUrl: string
  /** Those that live. */
  readonly nodes: readonly ClusterNode[]
  /** Of processes that ended by themselves: what they wrote last. */
  readonly crashes: readonly string[]
  /** @param bin the command of another release; default that of this checkout. */
  start(host?: ClusterHost, bin?: string): Promise<ClusterNode>
  /** Ends a process: at once, or asks it to stop. Resolves when it has ended. */
  end(node: ClusterNode, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Ends all, and removes the store. */
  close(): Promise<void>
}

export function createTestCluster(options: ClusterOptions): TestCluster {
  const { webhookUrl, leaseSeconds, databaseUrl = postgresUrl, wayUrl = databaseUrl, env } = options
  const schema = freshSchema()
  const cwd = mkdtempSync(join(tmpdir(), 'sluice-cluster-'))
  const define = (file: string, url: string): void =>
    writeFileSync(
      join(cwd, file),
      JSON.stringify(shop(url, { accessTokens: [{ name: 'ci', token: hashOf('token') }], ...options.workspace })),
    )
  define('workspace.json', webhookUrl)
  const nodes: ClusterNode[] = []
  const crashes: string[] = []
  const more = ['--lease-seconds', String(leaseSeconds), '--log-level', 'silent', '--port', '0']
  const end: TestCluster['end'] = async (node, signal) => {
    nodes.splice(nodes.indexOf(node), 1)
    node.command.child.kill(signal)
    if (signal === 'SIGKILL') node.command.child.kill('SIGCONT')
    await node.command.ended
  }
  return {
    schema,
    databaseUrl,
    nodes,
    crashes,
    start: async (at, bin) => {
      const file = at ? `workspace-${at.address}.json` : 'workspace.json'
      if (at) define(file, at.webhookUrl)
      const store = `${at?.databaseUrl ?? wayUrl}?schema=${schema}`
      const allowed = ['--allow-address', new URL(at?.webhookUrl ?? webhookUrl).hostname]
      const command = startCommand(
        ['serve', '--workspace', file, '--store', store, ...(at ? ['--host', at.address] : []), ...allowed, ...more],
        { cwd, env: { SLUICE_STORE: '', ...env }, before: at?.command, bin },
      )
      const [, host = '', port] = await command.printed(/Serving on http:\/\/([\d.]+):(\d+)/)
      const node = { host, port: Number(port), command, isAsleep: false }
      nodes.push(node)
      void command.ended.then(({ status, stderr }) => {
        if (nodes.includes(node)) crashes.push(`a process ended by itself with ${status}: ${stderr.slice(-2_000)}`)
      })
      return node
    },
    end,
    close: async () => {
      await Promise.all([...nodes].map((node) => end(node, 'SIGKILL')))
      rmSync(cwd, { recursive: true })
      await dropSchema(schema, databaseUrl)
    },
  }
}
