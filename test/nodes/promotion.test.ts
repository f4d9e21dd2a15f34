import { systemClock, systemRandom } from '@sluice/core'
import { openPostgresStore } from '@sluice/postgres'
import { afterEach, describe, expect, it } from 'vitest'
import { type ClusterScene, startClusterScene } from '../support/cluster/cluster-scene.ts'
import { startWay, type Way } from '../support/cluster/way.ts'
import { createOwnPostgres, noOwnPostgres, type OwnPostgres, type Standby } from '../support/databases/own-postgres.ts'
import { roundsOf, sized } from '../support/long.ts'

/** `pnpm test:long` fails over ten times. */
const rounds = roundsOf(sized(1, 10))

const servers: (OwnPostgres | Standby)[] = []
let way: Way | undefined
let scene: ClusterScene | undefined

afterEach(async () => {
  await scene?.close()
  way?.close()
  for (const server of servers.splice(0)) server.remove()
})

describe.skipIf(noOwnPostgres)('a database whose synchronous standby takes its place', () => {
  it.each(rounds)('has all that was acknowledged, and processes find it at the same address (%s)', async () => {
    const primary = await createOwnPostgres()
    servers.push(primary)
    const standby = await primary.startStandby()
    servers.push(standby)
    const onStandby = openPostgresStore({ url: standby.url, clock: systemClock, random: systemRandom })
    await expect(onStandby).rejects.toThrow(/is a standby.* use the address of the primary/)
    way = await startWay(primary.port)
    const wayUrl = standby.url.replace(String(standby.port), String(way.port))
    scene = await startClusterScene({ leaseSeconds: 2, databaseUrl: standby.url, wayUrl })
    await scene.moreArrives(50)
    await scene.regulate()
    primary.crash()
    standby.promote()
    way.turnTo(standby.port)
    await scene.regulate()
    await scene.moreArrives(50)
    await scene.audit(1)
  })
})
