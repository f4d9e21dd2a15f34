import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashOf } from './api-client.ts'
import { type RunningCommand, startCommand } from './command.ts'
import { dropSchema, freshSchema, postgresUrl } from './postgres.ts'
import { shop } from './shop.ts'

/** A process of a cluster. */
export interface ClusterNode {
  readonly port: number
  readonly command: RunningCommand
  /** Whether it was stopped for a while, and answers nothing. */
  isAsleep: boolean
}

/** Processes of `sluice serve` that share a store of their own, as a user starts them. */
export interface TestCluster {
  readonly schema: string
  /** Those that live. */
  readonly nodes: readonly ClusterNode[]
  /** Of processes that ended by themselves: what they wrote last. */
  readonly crashes: readonly string[]
  start(): Promise<ClusterNode>
  /** Ends a process: at once, or asks it to stop. Resolves when it has ended. */
  end(node: ClusterNode, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Ends all, and removes the store. */
  close(): Promise<void>
}

export function createTestCluster(webhookUrl: string, leaseSeconds: number): TestCluster {
  const schema = freshSchema()
  const cwd = mkdtempSync(join(tmpdir(), 'sluice-cluster-'))
  const definition = shop(webhookUrl, { accessTokens: [{ name: 'ci', token: hashOf('token') }] })
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(definition))
  const nodes: ClusterNode[] = []
  const crashes: string[] = []
  const args = ['serve', '--workspace', 'workspace.json', '--store', `${postgresUrl}?schema=${schema}`, '--port', '0']
  const more = ['--lease-seconds', String(leaseSeconds), '--allow-address', 'localhost', '--log-level', 'silent']
  const end: TestCluster['end'] = async (node, signal) => {
    nodes.splice(nodes.indexOf(node), 1)
    node.command.child.kill(signal)
    if (signal === 'SIGKILL') node.command.child.kill('SIGCONT')
    await node.command.ended
  }
  return {
    schema,
    nodes,
    crashes,
    start: async () => {
      const command = startCommand([...args, ...more], { cwd, env: { SLUICE_STORE: '' } })
      const [, port] = await command.printed(/Serving on http:\/\/127\.0\.0\.1:(\d+)/)
      const node = { port: Number(port), command, isAsleep: false }
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
      await dropSchema(schema)
    },
  }
}
