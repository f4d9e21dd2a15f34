import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hangMs } from '../support/hang-ms.ts'
import { basic } from '../support/http/api-client.ts'
import { sized } from '../support/long.ts'
import { dataPlaneProgram } from '../support/processes/data-plane-program.ts'
import { createDice } from '../support/processes/kill-load.ts'
import { type Killable, startKillable } from '../support/processes/killable.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { runSeed } from '../support/seed.ts'

/** Why the size of files of a process cannot be limited here, undefined when it can. The reason is printed. */
const noLimits = findReason()

function findReason(): string | undefined {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]
    process.stdout.write(`tests of disk errors skipped: ${reason}\n`)
    return reason
  }
}

/** From now on, every write of the process behind so many bytes of a file fails, as a disk with errors does (EFBIG). */
function limit({ pid }: Killable, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}

const rounds = sized(3, 60)

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function arrivedAt(receiver: Receiver): Promise<ReadonlySet<string>> {
  return new Set(receiver.received.map(({ body }) => JSON.parse(body).messageId))
}

describe.skipIf(noLimits !== undefined)('a disk whose writes fail under a running data plane', () => {
  it(`${rounds} times: refuses events meanwhile, takes them again by itself, and loses and doubles none (seed ${runSeed})`, {
    timeout: sized(2 * hangMs, 900_000),
  }, async () => {
    const dice = createDice(runSeed)
    const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-errors-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const receiver = await startReceiver()
    closing.push(receiver.close)
    const options = { workspace: shop(receiver.url), allowAddresses: ['127.0.0.1'], sandbox: { mode: 'in-process' } }
    const start = async () => {
      const started = await startKillable(dataPlaneProgram, [JSON.stringify({ folder, port: 0, options })])
      closing.push(started.kill)
      return { started, url: `http://127.0.0.1:${await started.reported('serving')}` }
    }
    const { started, url } = await start()
    const acknowledged = new Set<string>()
    const statuses = new Map<number, number>()
    let sent = 0
    const send = async (): Promise<void> => {
      sent += 1
      const messageId = `m${sent}`
      const { status } = await fetch(`${url}/v1/track`, {
        method: 'POST',
        headers: { authorization: basic('web-key', ''), 'content-type': 'application/json' },
        body: JSON.stringify({
          userId: `u${sent % 7}`,
          event: 'E',
          messageId,
          properties: { text: 'x'.repeat(3_000) },
        }),
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) acknowledged.add(messageId)
    }
    let isOver = false
    const sending = Promise.all(
      [0, 1, 2].map(async () => {
        while (!isOver) await send()
      }),
    )
    const isReady = async () => (await fetch(`${url}/ready`)).status
    for (let round = 0; round < rounds; round += 1) {
      const refused = statuses.get(503) ?? 0
      limit(started, statSync(join(folder, 'sluice.db-wal')).size + dice(60_000))
      await eventually(() => statuses.get(503) ?? 0).toBeGreaterThan(refused + dice(20))
      limit(started, 'unlimited')
      await eventually(isReady).toBe(200)
      const taken = acknowledged.size
      await eventually(() => acknowledged.size).toBeGreaterThan(taken + 10)
    }
    isOver = true
    await sending
    expect([...statuses.keys()].sort()).toEqual([200, 503])
    started.kill()
    await started.ended
    const again = await start()
    await eventually(async () => {
      const arrived = await arrivedAt(receiver)
      return [...acknowledged].filter((id) => !arrived.has(id))
    }).toEqual([])
    again.started.stop()
    const [stats] = (await again.started.reported('stats')) as readonly { readonly accepted: number }[]
    expect(stats).toMatchObject({
      accepted: acknowledged.size,
      destinations: [{ delivered: acknowledged.size, pending: 0 }],
    })
    await again.started.ended
  })
})
