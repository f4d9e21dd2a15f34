import { afterEach, expect, it } from 'vitest'
import { type ClusterScene, startClusterScene } from '../support/cluster/cluster-scene.ts'
import { noPostgres } from '../support/databases/postgres.ts'
import { runCommand } from '../support/processes/command.ts'
import { buildOlderRelease } from './older-release.ts'

/** Commit, tag or branch of the release that is replaced. */
const ref = process.env['SLUICE_OLDER'] ?? 'main'

let scene: ClusterScene | undefined
afterEach(() => scene?.close())

it.skipIf(noPostgres)(
  'a cluster is upgraded process by process under load: nothing is lost, and orders, regulations and counts hold',
  { timeout: 600_000 },
  async () => {
    const { bin, commit } = buildOlderRelease(ref)
    scene = await startClusterScene({ leaseSeconds: 2 }, bin)
    const { cluster, regulate, audit } = scene
    await scene.moreArrives(100)
    await regulate()
    const { status, stderr } = await runCommand(
      ['store', 'upgrade', '--store', `${cluster.databaseUrl}?schema=${cluster.schema}`],
      { cwd: import.meta.dirname },
    )
    expect(status, stderr).toBe(0)
    let replaced = 0
    for (const old of [...cluster.nodes]) {
      // A new process joins before an old one leaves, as an orchestrator does it.
      await cluster.start()
      await scene.moreArrives(50)
      await regulate()
      await cluster.end(old, 'SIGTERM')
      await scene.moreArrives(50)
      replaced += 1
    }
    process.stdout.write(`${replaced} processes of ${commit} were replaced\n`)
    await audit(replaced)
    expect(cluster.nodes).toHaveLength(3)
  },
)
